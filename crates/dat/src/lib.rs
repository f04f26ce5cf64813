//! placeholder
#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod container;
mod error;
mod reader;
pub mod record;
mod source;
mod writer;

pub use container::{
    ContainerWriter, DatFile, Entries, Entry, Finding, Header, INFLATE_LIMIT, NewRecord,
    Verification, WriteError,
};
pub use error::{At, DatError, EncodeError, ErrorKind};
pub use reader::{Read, Reader};
pub use record::*;
pub use source::{DatFolder, RecordSet, Records, Source};
pub use writer::{Writer, Written};
