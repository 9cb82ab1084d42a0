//! What was said of one tool, over all rounds.

use crate::children::Answer;
use std::collections::HashMap;

#[derive(Default)]
pub struct Figures {
    /// By name: how often a process was interrupted, and what it said.
    answers: HashMap<String, Vec<(f64, Vec<f64>)>>,
    /// Whether there was a report after each way to end; nothing where the tool's is elsewhere.
    pub ends: Option<[bool; 3]>,
    /// Crates in a program's tree, and the seconds that they take.
    pub builds: Option<(usize, Option<f64>)>,
    /// Why there are none of these.
    pub failure: Option<String>,
}

impl Figures {
    pub fn take(&mut self, answers: Result<Vec<Answer>, String>) {
        match answers {
            Ok(answers) => {
                let last = answers.iter().find(|(name, _)| name == "interruptions");
                let interruptions = last.map_or(f64::NAN, |(_, figures)| figures[0]);
                for (name, figures) in answers {
                    self.answers.entry(name).or_default().push((interruptions, figures));
                }
            }
            Err(reason) => self.failure = Some(reason),
        }
    }

    /// The median of what `figure` makes of an answer, over the half of the processes that were interrupted
    /// least; no number where there is none. A tool's plain mean is not to show what others took.
    pub fn median(&self, name: &str, figure: impl Fn(&[f64]) -> f64) -> f64 {
        let mut answers: Vec<_> =
            self.answers.get(name).map_or(&[][..], Vec::as_slice).iter().collect();
        answers.sort_by(|one, other| one.0.total_cmp(&other.0));
        answers.truncate(answers.len().div_ceil(2));
        let mut figures: Vec<f64> = answers.iter().map(|(_, answer)| figure(answer)).collect();
        figures.sort_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
    }
}
