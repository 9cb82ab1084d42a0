//! Every refusal, as the compiler shows it.

#![cfg(feature = "enabled")]

#[test]
fn refusals() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
