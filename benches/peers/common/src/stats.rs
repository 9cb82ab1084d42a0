//! Figures of many.

pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The mean without the tenths at both ends.
pub(crate) fn middle_mean(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let tenth = values.len() / 10;
    let kept = &values[tenth..values.len() - tenth];
    kept.iter().sum::<f64>() / kept.len() as f64
}
