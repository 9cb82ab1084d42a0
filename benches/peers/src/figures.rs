//! What was said of one tool, over all rounds.

use crate::children::Answer;
use std::collections::HashMap;

#[derive(Default)]
pub struct Figures {
    answers: HashMap<String, Vec<Vec<f64>>>,
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
                for (name, figures) in answers {
                    self.answers.entry(name).or_default().push(figures);
                }
            }
            Err(reason) => self.failure = Some(reason),
        }
    }

    /// The median over the rounds of what `figure` makes of an answer; no number where there is none.
    pub fn median(&self, name: &str, figure: impl Fn(&[f64]) -> f64) -> f64 {
        let answers = self.answers.get(name).map_or(&[][..], Vec::as_slice);
        let mut figures: Vec<f64> = answers.iter().map(|answer| figure(answer)).collect();
        figures.sort_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
    }
}
