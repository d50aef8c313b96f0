/**
 * Tree-sitter queries for definitions, per grammar. The capture of the whole node is named after the kind of
 * definition, `@name` is its name, `@body` the start of its inside, `@of` the type that it belongs to when that is
 * named elsewhere.
 * @module
 */
import type { GrammarName } from "../sys/grammar.ts";

/** What a piece of a file is. */
export type DefinitionKind =
  | "function"
  | "method"
  | "class"
  | "interface"
  | "type"
  | "enum"
  | "namespace"
  | "scope"
  | "constant";

const FUNCTION_VALUE = "[(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function)]";

const javascript = `
(function_declaration name: (identifier) @name body: (_) @body) @function
(generator_function_declaration name: (identifier) @name body: (_) @body) @function
(export_statement value: (function_expression body: (_) @body)) @function
(method_definition name: (_) @name body: (_) @body) @method
(variable_declarator name: (identifier) @name value: ${FUNCTION_VALUE}) @function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(assignment_expression left: [(member_expression) (identifier)] @name right: ${FUNCTION_VALUE}) @function
(assignment_expression left: (member_expression) @name right: (class body: (_) @body)) @class
(pair key: (_) @name value: ${FUNCTION_VALUE}) @method
(program [(lexical_declaration (variable_declarator name: (identifier) @name)) (variable_declaration (variable_declarator name: (identifier) @name))] @constant)
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @constant)
`;

const typescript = `${javascript}
[(class_declaration name: (_) @name body: (_) @body) (abstract_class_declaration name: (_) @name body: (_) @body)] @class
(public_field_definition name: (_) @name value: ${FUNCTION_VALUE}) @method
(interface_declaration name: (_) @name body: (_) @body) @interface
(type_alias_declaration name: (_) @name value: (_) @body) @type
(enum_declaration name: (_) @name body: (_) @body) @enum
(internal_module name: (_) @name body: (_) @body) @namespace
(module name: (_) @name body: (_) @body) @namespace
(function_signature name: (_) @name) @function
[(abstract_method_signature name: (_) @name) (class_body (method_signature name: (_) @name))] @method
`;

const DECLARATOR = (name: string): string => {
  const direct = `(function_declarator declarator: ${name})`;
  return `[${direct} (pointer_declarator declarator: ${direct}) ` +
    `(pointer_declarator declarator: (pointer_declarator declarator: ${direct}))]`;
};

const c = `
(function_definition declarator: ${DECLARATOR("(identifier) @name")} body: (_) @body) @function
(struct_specifier name: (_) @name body: (_) @body) @class
(union_specifier name: (_) @name body: (_) @body) @class
(enum_specifier name: (_) @name body: (_) @body) @enum
(type_definition declarator: (type_identifier) @name) @type
(translation_unit (declaration declarator: (init_declarator declarator: (_) @name)) @constant)
(translation_unit (declaration declarator: ${DECLARATOR("(identifier) @name")}) @function)
(preproc_function_def name: (_) @name) @function
(translation_unit (preproc_def name: (_) @name) @constant)
`;

const REFERENCE = `(reference_declarator (function_declarator declarator: (_) @name))`;

/** The queries. */
export const DEFINITION_QUERIES: Readonly<Record<GrammarName, string>> = {
  javascript: `${javascript}
(class_declaration name: (_) @name body: (_) @body) @class
(field_definition property: (_) @name value: ${FUNCTION_VALUE}) @method
`,
  typescript,
  tsx: typescript,
  python: `
(function_definition name: (_) @name body: (_) @body) @function
(class_definition name: (_) @name body: (_) @body) @class
(module (expression_statement (assignment left: (_) @name)) @constant)
`,
  go: `
(function_declaration name: (_) @name body: (_) @body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @of
    (pointer_type (type_identifier) @of)
    (generic_type type: (_) @of)
    (pointer_type (generic_type type: (_) @of))]))
  name: (_) @name body: (_) @body) @method
(type_spec name: (_) @name type: (struct_type) @body) @class
(type_spec name: (_) @name type: (interface_type) @body) @interface
(type_spec name: (_) @name type: [
  (type_identifier) (qualified_type) (generic_type) (pointer_type) (array_type) (slice_type) (map_type) (channel_type)
  (function_type)]) @type
(type_alias name: (_) @name) @type
(source_file (const_declaration (const_spec name: (_) @name)) @constant)
(source_file (var_declaration [
  (var_spec name: (_) @name)
  (var_spec_list (var_spec name: (_) @name))]) @constant)
`,
  rust: `
(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @class
(union_item name: (_) @name) @class
(enum_item name: (_) @name body: (_) @body) @enum
(trait_item name: (_) @name body: (_) @body) @interface
(type_item name: (_) @name) @type
(macro_definition name: (_) @name) @function
(mod_item name: (_) @name body: (_) @body) @scope
(impl_item type: [(type_identifier) @name (generic_type type: (_) @name) (scoped_type_identifier name: (_) @name)
  (reference_type type: (_) @name)] body: (_) @body) @scope
(source_file [(const_item name: (_) @name) (static_item name: (_) @name)] @constant)
`,
  java: `
(class_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(annotation_type_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_) @body) @method
`,
  c,
  cpp: `${c}
(function_definition declarator: ${DECLARATOR("[(field_identifier) (destructor_name) (operator_name)] @name")}
  body: (_) @body) @method
(function_definition declarator: ${
    DECLARATOR("(qualified_identifier scope: (_) @of name: (_) @name)")
  } body: (_) @body) @method
(function_definition declarator: ${REFERENCE} body: (_) @body) @function
(class_specifier name: (_) @name body: (_) @body) @class
(namespace_definition name: (_) @name body: (_) @body) @scope
(alias_declaration name: (_) @name) @type
`,
  csharp: `
(class_declaration name: (_) @name body: (_) @body) @class
(struct_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_) @body) @method
(property_declaration name: (_) @name) @method
(local_function_statement name: (_) @name body: (_)? @body) @function
(namespace_declaration name: (_) @name body: (_) @body) @scope
`,
  ruby: `
(module name: (_) @name) @namespace
(class name: (_) @name) @class
(method name: (_) @name body: (_)? @body) @method
(singleton_method name: (_) @name body: (_)? @body) @method
(program (assignment left: (constant) @name) @constant)
`,
  php: `
(class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(trait_declaration name: (_) @name body: (_) @body) @class
(enum_declaration name: (_) @name body: (_) @body) @enum
(method_declaration name: (_) @name body: (_)? @body) @method
(function_definition name: (_) @name body: (_) @body) @function
`,
  bash: `(function_definition name: (_) @name body: (_) @body) @function`,
};
