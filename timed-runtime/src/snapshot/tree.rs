//! The call tree of all lanes together.

use super::Facts;
use super::correct::{self, LaneCosts};
use super::model::{SiteStats, TreeNode};
use std::collections::{HashMap, HashSet};

/// Merges the lanes' trees by call path. `figures` are the sites', by number. Where a site samples,
/// a node stands for as many calls as the site has for each timed one.
pub(crate) fn merge(
    facts: &Facts,
    costs: &[LaneCosts],
    figures: &[(u64, SiteStats)],
) -> Vec<TreeNode> {
    let index: HashMap<u64, usize> =
        figures.iter().enumerate().map(|(index, (id, _))| (*id, index)).collect();
    let sampled: HashSet<u64> =
        facts.recording.sites.iter().filter(|site| site.sample > 1).map(|site| site.id).collect();
    let scale = |id: u64, site: usize| match &figures[site].1 {
        stats if sampled.contains(&id) && stats.timed > 0 => {
            stats.calls as f64 / stats.timed as f64
        }
        _ => 1.0,
    };
    let relaxed: HashMap<u64, bool> =
        facts.recording.sites.iter().map(|site| (site.id, site.relaxed)).collect();
    let mut tree: Vec<TreeNode> = Vec::new();
    let mut known: HashMap<(Option<usize>, usize), usize> = HashMap::new();
    for (lane, costs) in facts.recording.lanes.iter().zip(costs) {
        let used = used(lane);
        // Where each of the lane's nodes went; none for those that stand in for others.
        let mut place: Vec<Option<usize>> = Vec::with_capacity(lane.nodes.len());
        for (node, used) in lane.nodes.iter().zip(used) {
            let id = node.slot.map(|slot| lane.slots[slot].site);
            let site = id.and_then(|id| index.get(&id)).copied().filter(|_| used);
            let (Some(site), Some(id)) = (site, id) else {
                place.push(None);
                continue;
            };
            let parent = node.parent.and_then(|parent| place[parent]);
            let at = *known.entry((parent, site)).or_insert_with(|| {
                tree.push(TreeNode { site, parent, ..TreeNode::default() });
                tree.len() - 1
            });
            place.push(Some(at));
            let floor = costs.floor(relaxed.get(&id).copied().unwrap_or(false));
            let (merged, scale) = (&mut tree[at], scale(id, site));
            let calls = node.sums[0].calls + node.sums[1].calls;
            merged.calls += (calls as f64 * scale).round() as u64;
            merged.total_ns += facts.ns(correct::inclusive(&node.sums[0], floor, costs)) * scale;
            for sums in &node.sums {
                merged.self_ns += facts.ns(correct::own(sums, floor, costs)) * scale;
            }
        }
    }
    tree
}

/// Which nodes have finished calls, or lead to some: a reset leaves others behind.
fn used(lane: &super::data::LaneData) -> Vec<bool> {
    let mut used: Vec<bool> =
        lane.nodes.iter().map(|node| node.sums.iter().any(|sums| sums.calls > 0)).collect();
    // Children come after their parents.
    for (at, node) in lane.nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent.filter(|_| used[at]) {
            used[parent] = true;
        }
    }
    used
}
