//! Rewords the errors of the `quick-xml` crate.

use quick_xml::Error;
use quick_xml::escape::EscapeError;
use quick_xml::events::attributes::AttrError;

/// Describes what is wrong with XML, in words that follow a colon.
pub(super) fn describe_xml_error(error: &Error) -> String {
    match error {
        Error::UnexpectedEof(_) => "the file ends in the middle of a tag or a comment".into(),
        Error::EndEventMismatch { expected, found } if expected.is_empty() => format!("`</{found}>` closes nothing"),
        Error::EndEventMismatch { expected, found } => format!("expected `</{expected}>`, not `</{found}>`"),
        Error::InvalidAttr(error) => match error {
            AttrError::ExpectedEq(_) => "an attribute has no `=`".into(),
            AttrError::ExpectedValue(_) => "an attribute has no value".into(),
            AttrError::UnquotedValue(_) => "the value of an attribute is not in quotes".into(),
            AttrError::ExpectedQuote(_, quote) => {
                format!("the value of an attribute has no closing `{}`", char::from(*quote))
            }
            AttrError::Duplicated(..) => "an attribute is written twice".into(),
        },
        Error::EscapeError(EscapeError::UnrecognizedSymbol(_, name)) => {
            format!("`&{name};` stands for nothing; a plain `&` is written `&amp;`")
        }
        Error::EscapeError(EscapeError::UnterminatedEntity(_)) => {
            "there is no `;` after a `&`; a plain `&` is written `&amp;`".into()
        }
        Error::EscapeError(_) => "a number between `&#` and `;` is not that of a character".into(),
        Error::UnexpectedBang(_) => "`<!` begins neither a comment nor CDATA".into(),
        _ => "a tag cannot be read".into(),
    }
}
