//! Options that are written in another way: one error each, at the token.

use timed::timed;

#[timed(name = "a",, sample = 2)]
fn two_commas() {}

#[timed(, sample = 2)]
fn comma_first() {}

#[timed(name: "a")]
fn colon() {}

#[timed(name("a"))]
fn parentheses() {}

#[timed(name == "a")]
fn equals_twice() {}

#[timed(sample = 64u64)]
fn another_suffix() {}

#[timed(sample = 1.5)]
fn half_a_call() {}

#[timed(sample = N)]
fn count_by_constant() {}

#[timed(sample = 2 + 2)]
fn count_by_expression() {}

#[timed(fence = "full" "relaxed")]
fn two_values() {}

#[timed(name = "a"; sample = 2)]
fn semicolon() {}

#[timed(skip())]
fn skip_called() {}

#[timed(skip, skip)]
fn skipped_twice() {}

#[timed(crate = )]
fn no_path() {}

#[timed(crate = my timed)]
fn two_paths() {}

#[timed(crate = Vec<u8>::timed)]
fn path_of_a_type() {}

#[timed(name = "a", name_ = "b")]
fn nearly_a_key() {}

#[timed(Name = "a")]
fn key_in_capitals() {}

#[timed(name = "a"suffix)]
fn suffixed() {}

#[timed(name = b"a")]
fn bytes() {}

#[timed(name = c"a")]
fn c_string() {}

#[timed[sample]]
fn brackets() {}

#[timed { fence = 1 }]
fn braces() {}

#[timed(!)]
fn punctuation() {}

fn main() {
    two_commas();
    comma_first();
    colon();
    parentheses();
    equals_twice();
    another_suffix();
    half_a_call();
    count_by_constant();
    count_by_expression();
    two_values();
    semicolon();
    skip_called();
    skipped_twice();
    no_path();
    two_paths();
    path_of_a_type();
    nearly_a_key();
    key_in_capitals();
    suffixed();
    bytes();
    c_string();
    brackets();
    braces();
    punctuation();
}
