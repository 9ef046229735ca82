//! Contents of declarations.

use glsl_lang::ast::{
    ArraySpecifier, Identifier, InitDeclaratorList, Initializer, SingleDeclaration,
    StorageQualifierData, TypeQualifierSpecData, TypeSpecifierNonArrayData,
};

/// The names that a list declares, with their array sizes and initialisers.
pub(crate) fn declared(
    list: &InitDeclaratorList,
) -> impl Iterator<Item = (&Identifier, Option<&ArraySpecifier>, Option<&Initializer>)> {
    let head = &list.head;
    let first = head.name.as_ref();
    let first = first.map(|name| (name, head.array_specifier.as_ref(), head.initializer.as_ref()));
    let others = list.tail.iter().map(|one| {
        let size = one.ident.array_spec.as_ref();
        (&one.ident.ident, size, one.initializer.as_ref())
    });
    first.into_iter().chain(others)
}

/// A variable declared outside of functions.
pub(crate) struct Global<'a> {
    pub name: &'a str,
    /// Line and column, from 1.
    pub place: (u32, u32),
    pub declaration: &'a InitDeclaratorList,
}

impl Global<'_> {
    pub(crate) fn is_stream(&self) -> bool {
        let ty = &self.declaration.head.ty.ty.ty.content;
        matches!(ty, TypeSpecifierNonArrayData::TypeName(name) if name.as_str() == "stream")
    }

    pub(crate) fn has_storage(&self, storage: &StorageQualifierData) -> bool {
        has_storage(&self.declaration.head, storage)
    }
}

/// Tests whether a declaration is qualified with `storage`.
pub(crate) fn has_storage(declared: &SingleDeclaration, storage: &StorageQualifierData) -> bool {
    let qualifiers = declared.ty.qualifier.iter().flat_map(|all| &all.qualifiers);
    qualifiers.into_iter().any(|qualifier| {
        matches!(&qualifier.content, TypeQualifierSpecData::Storage(found) if found.content == *storage)
    })
}
