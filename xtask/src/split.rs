//! The core in two modules: what a first search runs, and the rest, which loads when its rows are there.
//!
//! The function table is the only bridge. Where code of the first module calls a function of the rest it calls through a
//! slot of the table that is empty until the rest is there, which is a trap; the rest fills these slots as it is
//! instantiated, and calls what it needs of the first module through slots that the first one fills. An import or an
//! export for each would be twice as large. All data are in the first module.

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use walrus::ir::{Call, CallIndirect, Const, Instr, InstrSeq, Value, Visitor, VisitorMut};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, GlobalId,
    GlobalKind, MemoryId, Module, ModuleConfig, TableId, TypeId,
};

/// The first module's name in the imports of the rest.
const FIRST: &str = "first";

/// The beginning of the name under which the first module exports the function table: pkg/src/module.js tells by it that
/// there is a rest. What follows is the build's, so that parts of two builds, one from a cache, are not joined.
const TABLE: &str = "rest-";

/// Names of functions that no search has run, as benches/cold.mjs writes them. Names that are not there are hot.
const COLD: &str = include_str!("../cold.txt");

/// Names of the functions that go into the rest.
pub fn cold() -> HashSet<&'static str> {
    COLD.lines().collect()
}

/// Both parts of a module, without names.
pub struct Parts {
    pub first: Vec<u8>,
    pub rest: Vec<u8>,
}

/// Splits a module that has its functions' names. `cold` are the names, without hashes, of those that go into the rest.
pub fn split(module: &[u8], cold: &HashSet<&str>) -> Result<Parts> {
    let build: String = Sha256::digest(module)
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let table = format!("{TABLE}{build}");
    let mut first = parse(module)?;
    let plan = Plan::new(&first, cold)?;
    // Read twice, functions have the same places in both.
    let mut rest = parse(module)?;
    let twins: HashMap<FunctionId, FunctionId> = functions(&first).zip(functions(&rest)).collect();
    keep_rest(&mut rest, &plan, &twins)?;
    keep_first(&mut first, &plan)?;
    join(&mut first, &mut rest, &table)?;
    Ok(Parts {
        first: first.emit_wasm(),
        rest: rest.emit_wasm(),
    })
}

/// A function's name without the hashes of crates and imports, which change with the compiler: as `withoutHash` in
/// benches/cold.mjs.
pub fn without_hash(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut left = name;
    while let Some(at) = left.find(['[', '_']) {
        let (before, from) = left.split_at(at);
        kept.push_str(before);
        let (mark, behind) = from.split_at(1);
        let digits = behind
            .bytes()
            .take_while(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            .count();
        let taken = match mark {
            "[" if (8..=16).contains(&digits) && behind[digits..].starts_with(']') => digits + 1,
            "_" if digits >= 16 => 16,
            _ => {
                kept.push_str(mark);
                0
            }
        };
        left = &behind[taken..];
    }
    kept + left
}

fn parse(module: &[u8]) -> Result<Module> {
    let mut config = ModuleConfig::new();
    config
        .generate_name_section(false)
        .generate_producers_section(false);
    config.parse(module)
}

fn functions(module: &Module) -> impl Iterator<Item = FunctionId> {
    module.funcs.iter().map(|function| function.id())
}

/// Places of the functions in the two parts. They are named by their ids in the whole module.
struct Plan {
    cold: HashSet<FunctionId>,
    table: TableId,
    /// Slots in which the rest finds functions of the first module.
    to_first: BTreeMap<FunctionId, u32>,
    /// Slots in which the first module finds functions of the rest.
    to_rest: BTreeMap<FunctionId, u32>,
    /// All that the rest puts into the table.
    filled: BTreeMap<u32, FunctionId>,
    /// Functions of the first module that get a slot, in the order of their slots, and the first of these.
    added: (u32, Vec<FunctionId>),
    /// Slots of the table when both are there.
    slots: u32,
}

impl Plan {
    fn new(module: &Module, names: &HashSet<&str>) -> Result<Plan> {
        let table = module
            .tables
            .main_function_table()?
            .context("no function table")?;
        let mut cold = HashSet::new();
        for (id, _) in module.funcs.iter_local() {
            let name = module.funcs.get(id).name.as_deref().unwrap_or_default();
            if names.contains(without_hash(name).as_str()) {
                cold.insert(id);
            }
        }
        let had = slots(module, table)?;
        let at: HashMap<FunctionId, u32> = had.iter().map(|(slot, id)| (*id, *slot)).collect();
        let begin = u32::try_from(module.tables.get(table).initial)?;
        let mut plan = Plan {
            cold,
            table,
            to_first: BTreeMap::new(),
            to_rest: BTreeMap::new(),
            filled: BTreeMap::new(),
            added: (begin, Vec::new()),
            slots: begin,
        };
        let (from_hot, from_cold) = plan.called(module);
        for id in from_cold {
            let slot = at.get(&id).copied().unwrap_or_else(|| {
                plan.added.1.push(id);
                plan.slots += 1;
                plan.slots - 1
            });
            plan.to_first.insert(id, slot);
        }
        for id in from_hot {
            let slot = at.get(&id).copied().unwrap_or_else(|| {
                plan.slots += 1;
                plan.slots - 1
            });
            plan.to_rest.insert(id, slot);
            plan.filled.insert(slot, id);
        }
        let tabled = had.into_iter().filter(|(_, id)| plan.cold.contains(id));
        plan.filled.extend(tabled);
        Ok(plan)
    }

    /// Functions that are called across: cold ones by hot code or from outside, hot ones by cold code.
    fn called(&self, module: &Module) -> (BTreeSet<FunctionId>, BTreeSet<FunctionId>) {
        let (mut from_hot, mut from_cold) = (BTreeSet::new(), BTreeSet::new());
        for (id, function) in module.funcs.iter_local() {
            let is_cold = self.cold.contains(&id);
            let mut calls = Calls::default();
            walrus::ir::dfs_in_order(&mut calls, function, function.entry_block());
            let across = calls
                .callees
                .into_iter()
                .filter(|callee| self.cold.contains(callee) != is_cold);
            if is_cold {
                &mut from_cold
            } else {
                &mut from_hot
            }
            .extend(across);
        }
        for export in module.exports.iter() {
            if let ExportItem::Function(id) = export.item
                && self.cold.contains(&id)
            {
                from_hot.insert(id);
            }
        }
        (from_hot, from_cold)
    }
}

/// The functions of a table that are there from the start, by their slots.
fn slots(module: &Module, of: TableId) -> Result<BTreeMap<u32, FunctionId>> {
    let mut slots = BTreeMap::new();
    for element in module.elements.iter() {
        match (&element.kind, &element.items) {
            (
                ElementKind::Active {
                    table,
                    offset: ConstExpr::Value(Value::I32(offset)),
                },
                ElementItems::Functions(functions),
            ) if *table == of => {
                slots.extend((u32::try_from(*offset)?..).zip(functions.iter().copied()))
            }
            _ => bail!("an element segment of a kind that the compiler did not write"),
        }
    }
    Ok(slots)
}

/// Collects what a function calls by name.
#[derive(Default)]
struct Calls {
    callees: BTreeSet<FunctionId>,
}

impl Visitor<'_> for Calls {
    fn visit_function_id(&mut self, function: &FunctionId) {
        self.callees.insert(*function);
    }
}

/// Puts calls through the table in the place of calls by name.
struct Through<'a> {
    slots: &'a HashMap<FunctionId, (u32, TypeId)>,
    table: TableId,
}

impl VisitorMut for Through<'_> {
    fn start_instr_seq_mut(&mut self, sequence: &mut InstrSeq) {
        let mut instrs = Vec::with_capacity(sequence.instrs.len());
        for (instr, location) in sequence.instrs.drain(..) {
            let found = match &instr {
                Instr::Call(Call { func }) => self.slots.get(func),
                _ => None,
            };
            let Some(&(slot, ty)) = found else {
                instrs.push((instr, location));
                continue;
            };
            let value = Value::I32(slot as i32);
            let table = self.table;
            instrs.push((Const { value }.into(), location));
            instrs.push((CallIndirect { ty, table }.into(), location));
        }
        sequence.instrs = instrs;
    }
}

/// Makes every function call those in `slots` through the table.
fn call_through(
    module: &mut Module,
    slots: impl Iterator<Item = (FunctionId, u32)>,
    table: TableId,
) -> Result<()> {
    let slots = slots
        .map(|(id, slot)| (id, (slot, module.funcs.get(id).ty())))
        .collect();
    let mut through = Through {
        slots: &slots,
        table,
    };
    for (_, function) in module.funcs.iter_local_mut() {
        let entry = function.entry_block();
        walrus::ir::dfs_pre_order_mut(&mut through, function, entry);
        let mut calls = Calls::default();
        walrus::ir::dfs_in_order(&mut calls, function, entry);
        ensure!(
            !calls.callees.iter().any(|id| slots.contains_key(id)),
            "a function is used in another way than by a call"
        );
    }
    Ok(())
}

/// Leaves the hot functions, and in the place of exported cold ones such as call through the table.
fn keep_first(module: &mut Module, plan: &Plan) -> Result<()> {
    call_through(
        module,
        plan.to_rest.iter().map(|(id, slot)| (*id, *slot)),
        plan.table,
    )?;
    let exported: Vec<_> = module
        .exports
        .iter()
        .filter_map(|export| match export.item {
            ExportItem::Function(id) if plan.cold.contains(&id) => Some((export.id(), id)),
            _ => None,
        })
        .collect();
    for (export, id) in exported {
        let thunk = thunk(module, id, plan);
        module.exports.get_mut(export).item = ExportItem::Function(thunk);
    }
    let trap = trap(module);
    for element in module.elements.iter_mut() {
        if let ElementItems::Functions(functions) = &mut element.items {
            for id in functions.iter_mut().filter(|id| plan.cold.contains(id)) {
                *id = trap;
            }
        }
    }
    let (begin, added) = plan.added.clone();
    fill(module, plan.table, begin, added);
    grow(module, plan.table, plan.slots);
    Ok(())
}

/// A function that hands its arguments to one of the rest.
fn thunk(module: &mut Module, id: FunctionId, plan: &Plan) -> FunctionId {
    let ty = module.funcs.get(id).ty();
    let (params, results) = module.types.params_results(ty);
    let (params, results) = (params.to_vec(), results.to_vec());
    let args: Vec<_> = params.iter().map(|ty| module.locals.add(*ty)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
    let mut body = builder.func_body();
    for arg in &args {
        body.local_get(*arg);
    }
    body.i32_const(plan.to_rest[&id] as i32)
        .call_indirect(ty, plan.table);
    builder.finish(args, &mut module.funcs)
}

/// A function that traps, whatever it is called as.
fn trap(module: &mut Module) -> FunctionId {
    let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
    builder.func_body().unreachable();
    builder.finish(Vec::new(), &mut module.funcs)
}

/// Leaves the cold functions: what they use besides is the first module's.
fn keep_rest(
    module: &mut Module,
    plan: &Plan,
    twins: &HashMap<FunctionId, FunctionId>,
) -> Result<()> {
    // Tables are the same in both, as functions are.
    let table = module
        .tables
        .main_function_table()?
        .context("no function table")?;
    call_through(
        module,
        plan.to_first.iter().map(|(id, slot)| (twins[id], *slot)),
        table,
    )?;
    for id in collected(module.exports.iter().map(|export| export.id())) {
        module.exports.delete(id);
    }
    for id in collected(module.elements.iter().map(|element| element.id())) {
        module.elements.delete(id);
        module.tables.get_mut(table).elem_segments.remove(&id);
    }
    for id in collected(module.data.iter().map(|data| data.id())) {
        module.data.delete(id);
    }
    for memory in module.memories.iter_mut() {
        memory.data_segments.clear();
    }
    module.start = None;
    let mut run: (u32, Vec<FunctionId>) = (0, Vec::new());
    for (slot, id) in &plan.filled {
        if *slot != run.0 + run.1.len() as u32 {
            let (begin, functions) = std::mem::replace(&mut run, (*slot, Vec::new()));
            fill(module, table, begin, functions);
        }
        run.1.push(twins[id]);
    }
    fill(module, table, run.0, run.1);
    grow(module, table, plan.slots);
    Ok(())
}

/// Adds functions to a table from the start on.
fn fill(module: &mut Module, table: TableId, begin: u32, functions: Vec<FunctionId>) {
    if functions.is_empty() {
        return;
    }
    let kind = ElementKind::Active {
        table,
        offset: ConstExpr::Value(Value::I32(begin as i32)),
    };
    let id = module
        .elements
        .add(kind, ElementItems::Functions(functions));
    module.tables.get_mut(table).elem_segments.insert(id);
}

/// Something that both modules use, of the first and of the rest.
enum Shared {
    Table(TableId, TableId),
    Memory(MemoryId, MemoryId),
    Global(GlobalId, GlobalId),
}

/// Makes the rest import what it uses, and the first module export it; what is used no more goes.
fn join(first: &mut Module, rest: &mut Module, table: &str) -> Result<()> {
    let mut shared = BTreeMap::new();
    for (at, pair) in pairs(first, rest).into_iter().enumerate() {
        let exported = first
            .exports
            .iter()
            .find(|export| pair.is_first(export.item));
        let is_main =
            matches!(pair, Shared::Table(id, _) if first.tables.main_function_table()? == Some(id));
        let name = match exported {
            _ if is_main => table.to_owned(),
            Some(export) => export.name.clone(),
            None => format!("s{at}"),
        };
        pair.import(rest, &name);
        shared.insert(name, pair);
    }
    walrus::passes::gc::run(rest);
    for import in rest.imports.iter() {
        ensure!(
            import.module == FIRST,
            "{} is imported past the table",
            import.name
        );
        let had = first
            .exports
            .iter()
            .any(|export| export.name == import.name);
        if !had {
            first
                .exports
                .add(&import.name, shared[&import.name].first());
        }
    }
    walrus::passes::gc::run(first);
    Ok(())
}

fn pairs(first: &Module, rest: &Module) -> Vec<Shared> {
    let (a, b) = (first, rest);
    let tables = a.tables.iter().zip(b.tables.iter());
    let memories = a.memories.iter().zip(b.memories.iter());
    let globals = a.globals.iter().zip(b.globals.iter());
    let mut pairs: Vec<Shared> = tables.map(|(a, b)| Shared::Table(a.id(), b.id())).collect();
    pairs.extend(memories.map(|(a, b)| Shared::Memory(a.id(), b.id())));
    pairs.extend(globals.map(|(a, b)| Shared::Global(a.id(), b.id())));
    pairs
}

impl Shared {
    fn first(&self) -> ExportItem {
        match self {
            Shared::Table(id, _) => ExportItem::Table(*id),
            Shared::Memory(id, _) => ExportItem::Memory(*id),
            Shared::Global(id, _) => ExportItem::Global(*id),
        }
    }

    fn is_first(&self, item: ExportItem) -> bool {
        match (self, item) {
            (Shared::Table(id, _), ExportItem::Table(other)) => *id == other,
            (Shared::Memory(id, _), ExportItem::Memory(other)) => *id == other,
            (Shared::Global(id, _), ExportItem::Global(other)) => *id == other,
            _ => false,
        }
    }

    /// Makes what the rest defines an import.
    fn import(&self, rest: &mut Module, name: &str) {
        match self {
            Shared::Table(_, id) => {
                let import = rest.imports.add(FIRST, name, *id);
                rest.tables.get_mut(*id).import = Some(import);
            }
            Shared::Memory(_, id) => {
                let import = rest.imports.add(FIRST, name, *id);
                rest.memories.get_mut(*id).import = Some(import);
            }
            Shared::Global(_, id) => {
                let import = rest.imports.add(FIRST, name, *id);
                rest.globals.get_mut(*id).kind = GlobalKind::Import(import);
            }
        }
    }
}

fn collected<T>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.collect()
}

/// Gives the table its slots.
fn grow(module: &mut Module, table: TableId, slots: u32) {
    let table = module.tables.get_mut(table);
    table.initial = u64::from(slots);
    table.maximum = table.maximum.map(|_| u64::from(slots));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_hashes() {
        for (name, without) in [
            (
                "<core[e3f0a9b7779ad7df]::str::Chars as knarr[aeeb5b7812de033]::Ask<[u8]>>::of",
                "<core::str::Chars as knarr::Ask<[u8]>>::of",
            ),
            (
                "Error::new::__wbg_new_787b9fb330d55d78 externref shim",
                "Error::new::__wbg_new externref shim",
            ),
            (
                "drop_in_place::<[dead]>_a_b[",
                "drop_in_place::<[dead]>_a_b[",
            ),
        ] {
            assert_eq!(without_hash(name), without);
        }
    }

    #[test]
    fn cold_names_have_no_hashes() {
        assert!(cold().len() > 100);
        for name in cold() {
            assert_eq!(without_hash(name), name);
        }
    }
}
