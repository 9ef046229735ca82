//! The rules, as one walk over the syntax tree.

use std::collections::{BTreeMap, BTreeSet};

use glsl_lang::ast::{
    ArraySpecifier, AssignmentOpData, BinaryOp, BinaryOpData, Block, Expr, ExprData,
    FunIdentifierData, FunctionDefinition, InitDeclaratorList, IterationStatement,
    IterationStatementData, JumpStatement, JumpStatementData, LayoutQualifier,
    LayoutQualifierSpecData, Node, NodeContent, SelectionRestStatementData, SelectionStatement,
    Statement, StatementData, StorageQualifier, StorageQualifierData, SwitchStatement,
    TypeSpecifierNonArray, TypeSpecifierNonArrayData, UnaryOpData,
};
use glsl_lang::visitor::{Host, Visit, Visitor};

use super::constant::{Constants, NO_BOUND, unroll};
use super::syntax::Syntax;
use super::{Fault, Rule, Stage};
use crate::program::STREAMS;

/// Number of interpolated inputs of a fragment program: its texture coordinates.
const COORDINATES: usize = 8;

/// The functions that a program may call, except for constructors and its own: `fetch`, and the float functions
/// of GLSL 1.10.
pub const FUNCTIONS: &str = "fetch radians degrees sin cos tan asin acos atan pow exp log exp2 log2 \
                             sqrt inversesqrt abs sign floor ceil fract mod min max clamp mix step \
                             smoothstep length distance dot cross normalize reflect dFdx dFdy fwidth";

/// All violations of the rules in a program.
pub(super) fn violations(syntax: &Syntax, stage: Stage) -> Vec<Fault> {
    let mut walk = Walk {
        syntax,
        stage,
        own_functions: syntax.functions().map(|f| f.prototype.name.as_str()).collect(),
        constants: Constants { expected_define: Some(2.0), ..Constants::default() },
        calls: BTreeMap::new(),
        current: String::new(),
        last_statement: None,
        found: Vec::new(),
    };
    walk.declarations();
    syntax.unit().visit(&mut walk);
    walk.recursion();
    walk.found
}

struct Walk<'a> {
    syntax: &'a Syntax,
    stage: Stage,
    own_functions: BTreeSet<&'a str>,
    constants: Constants,
    /// Functions called by each function.
    calls: BTreeMap<String, BTreeSet<String>>,
    /// The function that is being walked.
    current: String,
    /// Node of its last statement.
    last_statement: Option<glsl_lang::ast::NodeSpan>,
    found: Vec<Fault>,
}

impl Walk<'_> {
    fn report<T: NodeContent>(&mut self, node: &Node<T>, rule: Rule, found: impl Into<String>) {
        self.found.push((self.syntax.place(node), rule, found.into()));
    }

    /// Checks global declarations: outputs, coordinates and streams.
    fn declarations(&mut self) {
        let mut streams = 0;
        let mut coordinates = 0;
        for global in self.syntax.globals() {
            let is_result = global.name == "result";
            let is_output = global.has_storage(&StorageQualifierData::Out);
            if is_output && !is_result && self.stage != Stage::Vertex {
                let what = format!("second output {}", global.name);
                self.found.push((global.place, Rule::OneResult, what));
            }
            let is_coordinate = match self.stage {
                Stage::Fragment => global.has_storage(&StorageQualifierData::In),
                Stage::Vertex => is_output,
                Stage::Prelude => false,
            };
            coordinates += usize::from(is_coordinate);
            if is_coordinate && coordinates == COORDINATES + 1 {
                let what = format!("coordinate {} is number {coordinates}", global.name);
                self.found.push((global.place, Rule::EightCoordinates, what));
            }
            streams += usize::from(global.is_stream());
            if global.is_stream() && streams == STREAMS + 1 {
                let what = format!("stream {} is number {streams}", global.name);
                self.found.push((global.place, Rule::SixteenStreams, what));
            }
        }
    }

    /// Reports each function that calls itself, directly or indirectly.
    fn recursion(&mut self) {
        for function in self.syntax.functions() {
            let name = function.prototype.name.as_str();
            let mut reached = BTreeSet::new();
            let mut open = vec![name];
            while let Some(next) = open.pop() {
                for callee in self.calls.get(next).into_iter().flatten() {
                    if reached.insert(callee.as_str()) {
                        open.push(callee);
                    }
                }
            }
            if reached.contains(name) {
                let what = format!("function {name} calls itself");
                self.found.push((self.syntax.place(function), Rule::Recursion, what));
            }
        }
    }

    fn call(&mut self, expression: &Expr, name: &str) {
        let called = self.calls.entry(self.current.clone()).or_default();
        called.insert(name.to_string());
        // A name in capitals is a macro defined in front of the program, such as an operator.
        let is_macro = !name.contains(|c: char| c.is_ascii_lowercase());
        let is_built_in = FUNCTIONS.split(' ').any(|function| function == name);
        let is_known = is_macro || is_built_in || self.own_functions.contains(name);
        if !is_known {
            self.report(expression, Rule::Functions, format!("function {name}"));
        } else if name == "fetch" && self.stage == Stage::Vertex {
            self.report(expression, Rule::Functions, "fetch in a vertex program");
        }
    }

    fn variable(&mut self, expression: &Expr, name: &str) {
        if self.stage != Stage::Vertex && name.starts_with("gl_") {
            match name {
                "gl_FragCoord" => {}
                "gl_FragColor" | "gl_FragData" | "gl_FragDepth" | "gl_SampleMask" => {
                    self.report(expression, Rule::OneResult, format!("output {name}"));
                }
                _ => self.report(expression, Rule::Functions, format!("input {name}")),
            }
        }
    }
}

impl Visitor for Walk<'_> {
    fn visit_function_definition(&mut self, function: &FunctionDefinition) -> Visit {
        self.current = function.prototype.name.as_str().to_string();
        let last = function.statement.statement_list.last();
        self.last_statement = last.and_then(|statement| statement.span);
        Visit::Children
    }

    fn visit_init_declarator_list(&mut self, list: &InitDeclaratorList) -> Visit {
        self.constants.declare(list);
        Visit::Children
    }

    fn visit_type_specifier_non_array(&mut self, ty: &TypeSpecifierNonArray) -> Visit {
        use TypeSpecifierNonArrayData as T;
        let name = match &ty.content {
            T::Void | T::Bool | T::Float | T::Vec2 | T::Vec3 | T::Vec4 => return Visit::Children,
            T::TypeName(_) | T::Struct(_) => return Visit::Children,
            // A fragment program computes four channels at a time; a mesh is positioned by a matrix.
            T::Mat2 | T::Mat3 | T::Mat4 | T::Mat22 | T::Mat33 | T::Mat44
                if self.stage == Stage::Vertex =>
            {
                return Visit::Children;
            }
            _ => self.syntax.text_of(ty),
        };
        let mut resources = ["sampler", "image", "atomic"].into_iter();
        let rule =
            if resources.any(|kind| name.contains(kind)) { Rule::Resources } else { Rule::Types };
        self.report(ty, rule, format!("type {name}"));
        Visit::Parent
    }

    fn visit_storage_qualifier(&mut self, storage: &StorageQualifier) -> Visit {
        use StorageQualifierData as S;
        if !matches!(
            storage.content,
            S::Const
                | S::In
                | S::Out
                | S::InOut
                | S::Uniform
                | S::Attribute
                | S::Varying
                | S::Centroid
        ) {
            self.report(storage, Rule::Resources, self.syntax.text_of(storage));
        }
        Visit::Parent
    }

    fn visit_layout_qualifier(&mut self, layout: &LayoutQualifier) -> Visit {
        for id in &layout.ids {
            if let LayoutQualifierSpecData::Identifier(name, _) = &id.content
                && name.as_str().starts_with("local_size")
            {
                self.report(layout, Rule::Resources, "a compute program");
            }
        }
        Visit::Parent // Locations are integers, but not values of the program.
    }

    fn visit_block(&mut self, block: &Block) -> Visit {
        let what = format!("buffer {}", block.name.as_str());
        self.report(block, Rule::Resources, what);
        Visit::Children
    }

    fn visit_array_specifier(&mut self, _: &ArraySpecifier) -> Visit {
        Visit::Parent // The size of an array counts registers; it is not a value of the program.
    }

    fn visit_expr(&mut self, expression: &Expr) -> Visit {
        match &expression.content {
            ExprData::IntConst(value) => {
                self.report(expression, Rule::Types, format!("integer {value}"));
            }
            ExprData::UIntConst(value) => {
                self.report(expression, Rule::Types, format!("unsigned integer {value}"));
            }
            ExprData::DoubleConst(value) => {
                self.report(expression, Rule::Types, format!("double {value}"));
            }
            ExprData::Variable(name) => self.variable(expression, name.as_str()),
            ExprData::Assignment(_, operator, _) => {
                use AssignmentOpData as A;
                if !matches!(operator.content, A::Equal | A::Mult | A::Div | A::Add | A::Sub) {
                    let what = format!("operator {}", self.syntax.text_of(operator));
                    self.report(expression, Rule::Operators, what);
                }
            }
            ExprData::Unary(operator, _) if operator.content == UnaryOpData::Complement => {
                self.report(expression, Rule::Operators, "operator ~");
            }
            ExprData::FunCall(function, arguments) => {
                if let FunIdentifierData::Expr(name) = &function.content
                    && let ExprData::Variable(name) = &name.content
                {
                    self.call(expression, name.as_str());
                    arguments.iter().for_each(|argument| argument.visit(self));
                    return Visit::Parent;
                }
            }
            // A literal index selects a register or a component.
            ExprData::Bracket(base, index) if matches!(index.content, ExprData::IntConst(_)) => {
                base.visit(self);
                return Visit::Parent;
            }
            _ => {}
        }
        Visit::Children
    }

    fn visit_binary_op(&mut self, operator: &BinaryOp) -> Visit {
        use BinaryOpData as B;
        if let B::BitOr | B::BitXor | B::BitAnd | B::LShift | B::RShift | B::Mod = operator.content
        {
            let what = format!("operator {}", self.syntax.text_of(operator));
            self.report(operator, Rule::Operators, what);
        }
        Visit::Children
    }

    fn visit_iteration_statement(&mut self, iteration: &IterationStatement) -> Visit {
        let problem = match &iteration.content {
            IterationStatementData::While(..) => Some("while"),
            IterationStatementData::DoWhile(..) => Some("do"),
            IterationStatementData::For(init, rest, body) => {
                match unroll(&init.content, rest, body, &self.constants) {
                    Ok(longest) if longest.ends_with_data => Some(NO_BOUND),
                    other => other.err(),
                }
            }
        };
        if let Some(problem) = problem {
            self.report(iteration, Rule::ConstantLoops, format!("loop: {problem}"));
        }
        Visit::Children
    }

    fn visit_selection_statement(&mut self, selection: &SelectionStatement) -> Visit {
        if !is_conditional_discard(selection) {
            self.report(selection, Rule::Branches, "if");
        }
        Visit::Children
    }

    fn visit_switch_statement(&mut self, switch: &SwitchStatement) -> Visit {
        self.report(switch, Rule::Branches, "switch");
        Visit::Children
    }

    fn visit_jump_statement(&mut self, jump: &JumpStatement) -> Visit {
        let what = match &jump.content {
            JumpStatementData::Break => "break",
            JumpStatementData::Continue => "continue",
            JumpStatementData::Return(_) if jump.span != self.last_statement => {
                "return before the end"
            }
            JumpStatementData::Return(_) | JumpStatementData::Discard => return Visit::Children,
        };
        self.report(jump, Rule::Branches, what);
        Visit::Children
    }
}

/// Tests whether a statement is `if (condition) discard;`, the instruction KIL.
pub(crate) fn is_conditional_discard(selection: &SelectionStatement) -> bool {
    let SelectionRestStatementData::Statement(body) = &selection.rest.content else {
        return false;
    };
    let is_discard = |statement: &Statement| {
        matches!(&statement.content, StatementData::Jump(jump)
            if jump.content == JumpStatementData::Discard)
    };
    match &body.content {
        StatementData::Compound(block) => {
            matches!(block.statement_list.as_slice(), [only] if is_discard(only))
        }
        _ => is_discard(body),
    }
}
