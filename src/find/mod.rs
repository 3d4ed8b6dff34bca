//! From a question to an answer, without IO: ask → rank → walk → answer.
//!
//! Each published system of retrieval has a folder of its own: [`walk`] OpenViking's hierarchy, [`onyx`] the hybrid
//! scoring, [`minirag`] the graph.

pub mod answer;
pub mod ask;
pub mod minirag;
pub mod onyx;
pub mod pipeline;
pub mod rank;
pub mod walk;
