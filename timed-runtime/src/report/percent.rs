//! Percentages: dealt out so that they add up, and turned into shares.

/// Deals `units` out in proportion to the weights, so that they add up exactly: each gets its
/// share rounded down, and those that lost most by that get one more. All get nothing where no
/// weight is above zero; what is not a finite number above zero weighs nothing.
pub(super) fn apportion(weights: &[f64], units: u32) -> Vec<u32> {
    let weight = |weight: &f64| if weight.is_finite() { weight.max(0.0) } else { 0.0 };
    let sum: f64 = weights.iter().map(weight).sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return vec![0; weights.len()];
    }
    let mut left = units;
    let mut shares = Vec::with_capacity(weights.len());
    let mut losses = Vec::with_capacity(weights.len());
    for (index, given) in weights.iter().enumerate() {
        let exact = weight(given) / sum * f64::from(units);
        let share = (exact as u32).min(left);
        left -= share;
        shares.push(share);
        losses.push((exact - f64::from(share), index));
    }
    losses.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    for (_, index) in losses.into_iter().take(left as usize) {
        if let Some(share) = shares.get_mut(index) {
            *share += 1;
        }
    }
    shares
}

/// A percentage as a share of 1: the nearest to its decimal text, as a division would make
/// 0.9990000000000001 of 99.9.
pub(super) fn share(percent: f64) -> f64 {
    format!("{percent}e-2").parse().unwrap_or(percent / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::random::Random;

    #[test]
    fn shares_add_up() {
        let mut random = Random::new();
        for _ in 0..2_000 {
            let weights: Vec<f64> =
                (0..=random.below(200)).map(|_| (random.share() * 80.0).exp2()).collect();
            let shares = apportion(&weights, 1000);
            assert_eq!(shares.iter().sum::<u32>(), 1000, "{weights:?}");
            let sum: f64 = weights.iter().sum();
            for (share, weight) in shares.iter().zip(&weights) {
                let exact = weight / sum * 1000.0;
                assert!((f64::from(*share) - exact).abs() <= 1.0, "{share} {exact}");
            }
        }
    }

    #[test]
    fn the_largest_remainders_get_one_more() {
        assert_eq!(apportion(&[1.0, 1.0, 1.0], 1000), [334, 333, 333]);
        assert_eq!(apportion(&[2.0, 1.0], 1000), [667, 333]);
        assert_eq!(apportion(&[5.0, 0.0, -3.0, f64::NAN], 1000), [1000, 0, 0, 0]);
        assert_eq!(apportion(&[0.0, -1.0, f64::INFINITY], 1000), [0, 0, 0]);
        assert_eq!(apportion(&[f64::MAX, f64::MAX], 1000), [0, 0]);
        assert_eq!(apportion(&[], 1000), [0; 0]);
    }

    #[test]
    fn a_share_is_what_one_would_write() {
        for (percent, expected) in [(50.0, "0.5"), (99.9, "0.999"), (99.999, "0.99999")] {
            assert_eq!(share(percent).to_string(), expected);
        }
        assert!(share(f64::NAN).is_nan());
    }
}
