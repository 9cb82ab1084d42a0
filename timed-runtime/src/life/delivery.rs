//! Who gets the report: stderr, a file, both or nobody.

use super::descriptor;
use super::file;
use super::origin::Origin;
use crate::config::{Config, Report};
use std::io;
use std::path::{Path, PathBuf};

/// Makes a report of that form; told whether it is for stderr, which may be a terminal.
pub(super) type Render<'a> = dyn Fn(Report, bool) -> Vec<u8> + 'a;

/// What was decided at the first timed call.
pub(super) struct Delivery {
    pub(super) config: &'static Config,
    origin: Origin,
    stderr: Report,
    /// Where to, and in which form.
    file: Option<(PathBuf, Report)>,
}

impl Delivery {
    /// None when nobody wants a report. A test or a benchmark has to be asked for one.
    pub(super) fn plan(config: &'static Config, is_harness: bool, origin: Origin) -> Option<Self> {
        let stderr = if is_harness && !config.report_given { Report::Off } else { config.report };
        let out = config.out.as_deref();
        let file = out.map(|path| (origin.resolve(path), Report::for_path(path)));
        (stderr != Report::Off || file.is_some()).then_some(Self { config, origin, stderr, file })
    }

    /// Writes it. What cannot be written is worth a line, and no more: the program has ended
    /// well or badly for reasons of its own.
    pub(super) fn run(&self, render: &Render<'_>) {
        // The file first: stderr may have a reader that takes its time.
        if let Some((path, form)) = &self.file
            && let Err(error) = file::write_whole(path, &render(*form, false))
        {
            self.to_stderr(complaint(path, &error).as_bytes());
        }
        if self.stderr != Report::Off {
            self.to_stderr(&render(self.stderr, true));
        }
    }

    /// Nobody is left to be told that this failed.
    fn to_stderr(&self, bytes: &[u8]) {
        if let Some(stderr) = self.origin.stderr {
            let _ = descriptor::write_stderr(stderr, bytes);
        }
    }
}

/// One line, whatever is in the path.
#[expect(clippy::unnecessary_debug_formatting, reason = "a path may have line breaks in it")]
fn complaint(path: &Path, error: &io::Error) -> String {
    format!("timed: cannot write the report to {path:?}: {error}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn config(report: Report, given: bool, out: Option<&str>) -> &'static Config {
        Box::leak(Box::new(Config {
            report,
            report_given: given,
            out: out.map(PathBuf::from),
            ..Config::default()
        }))
    }

    fn plan(config: &'static Config, is_harness: bool) -> Option<(Report, bool)> {
        Delivery::plan(config, is_harness, Origin::of(1)).map(|it| (it.stderr, it.file.is_some()))
    }

    #[test]
    fn a_harness_has_to_be_asked() {
        let plain = config(Report::Table, false, None);
        assert_eq!(plan(plain, false), Some((Report::Table, false)));
        assert_eq!(plan(plain, true), None);
        let asked = config(Report::Table, true, None);
        assert_eq!(plan(asked, true), Some((Report::Table, false)));
        let out = config(Report::Table, false, Some("x.json"));
        assert_eq!(plan(out, false), Some((Report::Table, true)));
        assert_eq!(plan(out, true), Some((Report::Off, true)));
    }

    #[test]
    fn off_leaves_the_file() {
        assert_eq!(plan(config(Report::Off, true, None), false), None);
        let out = config(Report::Off, true, Some("x.txt"));
        assert_eq!(plan(out, false), Some((Report::Off, true)));
    }

    #[test]
    fn the_form_follows_the_name() {
        for (name, form) in [("%p.json", Report::Json), ("%p.txt", Report::Table)] {
            let directory =
                std::env::temp_dir().join(format!("timed-form-{}", super::super::pid()));
            fs::create_dir_all(&directory).unwrap();
            let out = directory.join(name);
            let delivery =
                Delivery::plan(config(Report::Off, true, out.to_str()), false, Origin::of(7))
                    .unwrap();
            delivery.run(&|form, on_stderr| {
                assert!(!on_stderr);
                format!("{form:?}").into_bytes()
            });
            let written = fs::read_to_string(directory.join(name.replace("%p", "7"))).unwrap();
            assert_eq!(written, format!("{form:?}"));
            fs::remove_dir_all(&directory).unwrap();
        }
    }
}
