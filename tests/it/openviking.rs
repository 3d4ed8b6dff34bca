//! OpenViking's retrieval, against facts recorded from the running originals (spec: OpenViking §1.10 and §2.5).

mod bundle;
mod filters;
mod fixture;
mod traces;
mod walks;
