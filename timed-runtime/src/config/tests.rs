use super::*;

fn read(variables: &[(&str, &str)]) -> (Config, Vec<String>) {
    Config::from_env(|name| {
        let (_, value) = variables.iter().find(|(known, _)| *known == name)?;
        Some(OsString::from(value))
    })
}

#[test]
fn nothing_set_is_the_default() {
    assert_eq!(read(&[]), (Config::default(), Vec::new()));
    assert_eq!(
        read(&[("TIMED", ""), ("TIMED_TOP", ""), ("TIMED_OUT", "")]),
        (Config::default(), Vec::new())
    );
}

#[test]
fn every_variable_is_read() {
    let (config, complaints) = read(&[
        ("TIMED", "off"),
        ("TIMED_REPORT", "json"),
        ("TIMED_OUT", "out-%p.json"),
        ("TIMED_SORT", "p99"),
        ("TIMED_TOP", "7"),
        ("TIMED_QUANTILES", "99.9, 50,50,-0"),
        ("TIMED_FILTER", "app::*,!app::log"),
        ("TIMED_RECORD", "rec"),
        ("TIMED_SIGNALS", " off "),
        ("TIMED_TIMELINE", "1000"),
    ]);
    assert_eq!(complaints, [""; 0]);
    let expected = Config {
        on: false,
        report: Report::Json,
        report_given: true,
        out: Some("out-%p.json".into()),
        sort: Sort::P99,
        top: Some(7),
        quantiles: vec![99.9, 50.0, 0.0],
        filter: Filter::parse("app::*,!app::log").unwrap(),
        record: Some("rec".into()),
        signals: false,
        timeline: Some(1000),
    };
    assert_eq!(config, expected);
    assert!(config.quantiles[2].is_sign_positive());
}

#[test]
fn every_choice_is_known_by_its_word() {
    for (word, sort) in SORTS {
        assert_eq!(read(&[("TIMED_SORT", word)]).0.sort, *sort);
    }
    for (word, report) in REPORTS {
        assert_eq!(read(&[("TIMED_REPORT", word)]).0.report, *report);
    }
}

#[test]
fn a_bad_value_is_one_line_and_the_default() {
    let cases = [
        ("TIMED", "0", r#"timed: TIMED="0": not one of off, on; using on"#),
        (
            "TIMED_SORT",
            "foo",
            r#"timed: TIMED_SORT="foo": not one of self, total, calls, typical, p50, p99, max, name; using self"#,
        ),
        (
            "TIMED_REPORT",
            "JSON\n",
            r#"timed: TIMED_REPORT="JSON\n": not one of table, json, off; using table"#,
        ),
        ("TIMED_TOP", "0", r#"timed: TIMED_TOP="0": not a whole number from 1; showing every row"#),
        (
            "TIMED_TIMELINE",
            "many",
            r#"timed: TIMED_TIMELINE="many": not a whole number from 1; keeping no events"#,
        ),
        (
            "TIMED_FILTER",
            "a,!",
            r#"timed: TIMED_FILTER="a,!": not globs with commas between them, ! before those to leave out; timing everything"#,
        ),
    ];
    for (name, value, line) in cases {
        let (config, complaints) = read(&[(name, value)]);
        assert_eq!(complaints, [line]);
        assert_eq!(config, Config::default());
    }
    for value in ["101", "-1", "nan", "inf", "50,,99", "50;99", "1e999"] {
        let (config, complaints) = read(&[("TIMED_QUANTILES", value)]);
        assert_eq!(
            complaints,
            [format!(
                "timed: TIMED_QUANTILES=\"{value}\": not percentages from 0 to 100 with commas \
                 between them; using 50,99,99.9"
            )]
        );
        assert_eq!(config, Config::default());
    }
}

#[cfg(unix)]
#[test]
fn values_that_are_not_utf8_are_said_to_be() {
    use std::os::unix::ffi::OsStringExt;
    let bytes = || Some(OsString::from_vec(b"a\xffb*".to_vec()));
    let only = |wanted: &'static str| move |name: &str| bytes().filter(|_| name == wanted);

    let (config, complaints) = Config::from_env(only("TIMED_FILTER"));
    assert_eq!(
        complaints,
        ["timed: TIMED_FILTER=\"a\u{fffd}b*\": not UTF-8; read as it is shown here"]
    );
    assert!(config.filter.accepts("a\u{fffd}bc"));

    let (config, complaints) = Config::from_env(only("TIMED_SORT"));
    assert_eq!((config.sort, complaints.len()), (Sort::SelfTime, 1));

    let (config, complaints) = Config::from_env(only("TIMED_OUT"));
    assert_eq!((config.out.map(PathBuf::into_os_string), complaints.len()), (bytes(), 0));
}

#[test]
fn the_pid_is_filled_in() {
    let filled = |path: &str| with_pid(Path::new(path), 42);
    assert_eq!(filled("a.json"), Path::new("a.json"));
    assert_eq!(filled("%p/é%p%%p.%"), Path::new("42/é42%42.%"));
    assert_eq!(filled(""), Path::new(""));
}

#[test]
fn the_name_of_the_file_says_what_is_written() {
    assert_eq!(Report::for_path(Path::new("a/b.json")), Report::Json);
    assert_eq!(Report::for_path(Path::new("a.json/b")), Report::Table);
    assert_eq!(Report::for_path(Path::new("b.txt")), Report::Table);
}
