//! The attribute beside others, in either order.

use std::process::Command;

use crate::compiler::{Program, folder, rustc};

#[test]
fn other_attributes_do_what_they_do() {
    let folder = folder().join("company-macros");
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("company.rs");
    std::fs::write(&source, include_str!("company/macros.rs")).unwrap();
    let mut command = Command::new(rustc());
    command.current_dir(&folder).args(["--edition=2021", "--crate-type=proc-macro", "company.rs"]);
    assert!(command.status().expect("rustc runs").success());
    let library =
        std::env::consts::DLL_PREFIX.to_owned() + "company" + std::env::consts::DLL_SUFFIX;
    let macros = format!("company={}", folder.join(library).display());
    for edition in ["2021", "2024"] {
        let program = Program::new("company", edition, include_str!("company/program.rs"));
        let written = program.flags(["--test", "--extern", &macros]).run();
        let ran = written.lines().filter(|line| line.starts_with("test ")).count();
        assert!(written.contains("test result: ok. 22 passed; 0 failed; 1 ignored"), "{written}");
        assert_eq!(ran, 24, "one line for each, and the result: {written}");
    }
}
