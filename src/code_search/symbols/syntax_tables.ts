/** Tables of the nodes that declare, scope and use names, by grammar; see {@link SyntaxTable}. @module */
import type { GrammarName } from "../../sys/grammar.ts";
import type { SyntaxTable } from "./syntax_table.ts";

const web: SyntaxTable = {
  declares: {
    function: "function_declaration.name generator_function_declaration.name function_signature.name " +
      "function_expression.name",
    class: "class_declaration.name abstract_class_declaration.name class.name enum_declaration.name",
    type: "interface_declaration.name type_alias_declaration.name type_parameter.name",
    variable: "variable_declarator.name for_in_statement.left catch_clause.parameter",
    parameter: "required_parameter.pattern optional_parameter.pattern formal_parameters. arrow_function.parameter",
    member: "method_definition.name public_field_definition.name field_definition.property method_signature.name " +
      "abstract_method_signature.name property_signature.name enum_assignment.name enum_body.name",
    module: "internal_module.name module.name",
  },
  patterns: "object_pattern. array_pattern. pair_pattern.value rest_pattern. assignment_pattern.left " +
    "object_assignment_pattern.left",
  scopes: "program statement_block function_declaration generator_function_declaration function_expression " +
    "arrow_function method_definition class_declaration abstract_class_declaration class interface_declaration " +
    "enum_declaration for_statement for_in_statement catch_clause function_signature method_signature " +
    "type_alias_declaration function_type switch_body class_static_block",
  functions: "program function_declaration generator_function_declaration function_expression arrow_function " +
    "method_definition function_signature method_signature function_type",
  types: "class_declaration abstract_class_declaration class interface_declaration enum_declaration",
  members: "member_expression.property.object nested_type_identifier.name.module nested_identifier.property.object",
  keys: "pair.key pair_pattern.key jsx_attribute. object.shorthand",
  calls: "call_expression.function new_expression.constructor jsx_opening_element.name jsx_self_closing_element.name " +
    "decorator.",
  heritage: "extends_clause implements_clause extends_type_clause class_heritage",
  makes: "new_expression.constructor",
  shares: "none",
};

const c: SyntaxTable = {
  declares: {
    function: "function_declarator.declarator preproc_function_def.name preproc_def.name",
    class: "class_specifier.name struct_specifier.name union_specifier.name enum_specifier.name",
    type: "type_definition.declarator alias_declaration.name type_parameter_declaration.",
    variable: "init_declarator.declarator declaration.declarator for_range_loop.declarator enumerator.name",
    parameter: "parameter_declaration.declarator optional_parameter_declaration.declarator preproc_params.",
    member: "field_declaration.declarator",
    module: "namespace_definition.name",
  },
  patterns: "pointer_declarator.declarator array_declarator.declarator reference_declarator. " +
    "parenthesized_declarator. qualified_identifier.name destructor_name.",
  scopes: "translation_unit function_definition compound_statement class_specifier struct_specifier union_specifier " +
    "enum_specifier for_statement for_range_loop catch_clause lambda_expression template_declaration " +
    "preproc_function_def",
  functions: "translation_unit function_definition lambda_expression",
  types: "class_specifier struct_specifier union_specifier",
  members: "field_expression.field.argument qualified_identifier.name.scope",
  keys: "field_designator. field_initializer.",
  calls: "call_expression.function new_expression.type",
  heritage: "base_class_clause",
  makes: "new_expression.type",
  hasImplicitThis: true,
  shares: "tree",
};

/** The tables. */
export const SYNTAX_TABLES: Readonly<Record<GrammarName, SyntaxTable>> = {
  typescript: web,
  tsx: web,
  javascript: web,
  c,
  cpp: c,
  python: {
    declares: {
      function: "function_definition.name",
      class: "class_definition.name",
      type: "type_alias_statement.left",
      variable:
        "assignment.left augmented_assignment.left for_statement.left for_in_clause.left named_expression.name " +
        "as_pattern.alias",
      parameter: "parameters. typed_parameter. default_parameter.name typed_default_parameter.name lambda_parameters.",
    },
    patterns: "pattern_list. tuple_pattern. list_pattern. list_splat_pattern. dictionary_splat_pattern. " +
      "as_pattern_target. type.",
    scopes: "module function_definition class_definition lambda list_comprehension set_comprehension " +
      "dictionary_comprehension generator_expression",
    functions: "module function_definition lambda class_definition",
    ignoresBlocks: true,
    types: "class_definition",
    members: "attribute.attribute.object",
    keys: "keyword_argument.name keyword_pattern.",
    calls: "call.function decorator.",
    heritage: "class_definition.superclasses",
    makes: "call.function",
    shares: "none",
  },
  go: {
    declares: {
      function: "function_declaration.name",
      class: "type_spec.name type_alias.name",
      type: "type_parameter_declaration.name",
      variable:
        "short_var_declaration.left var_spec.name const_spec.name range_clause.left type_switch_statement.alias",
      parameter: "parameter_declaration.name variadic_parameter_declaration.name",
      member: "method_declaration.name field_declaration.name method_elem.name",
    },
    patterns: "expression_list.",
    scopes: "source_file function_declaration method_declaration func_literal block for_statement if_statement " +
      "expression_case type_case type_switch_statement expression_switch_statement communication_case type_spec",
    functions: "source_file function_declaration method_declaration func_literal",
    types: "type_spec method_declaration",
    members: "selector_expression.field.operand qualified_type.name.package",
    keys: "literal_element.",
    calls: "call_expression.function",
    heritage: "",
    makes: "composite_literal.type",
    shares: "folder",
  },
  rust: {
    declares: {
      function: "function_item.name function_signature_item.name macro_definition.name",
      class: "struct_item.name enum_item.name union_item.name trait_item.name",
      type: "type_item.name associated_type.name type_parameter.name",
      variable: "let_declaration.pattern const_item.name static_item.name for_expression.pattern match_pattern. " +
        "let_condition.pattern",
      parameter: "parameter.pattern closure_parameters.",
      member: "field_declaration.name enum_variant.name",
      module: "mod_item.name",
    },
    patterns: "tuple_pattern. tuple_struct_pattern. captured_pattern. ref_pattern. mut_pattern. reference_pattern. " +
      "slice_pattern. or_pattern. field_pattern.pattern struct_pattern.",
    scopes: "source_file function_item function_signature_item block closure_expression for_expression match_arm " +
      "impl_item trait_item struct_item enum_item mod_item if_expression while_expression",
    functions: "source_file function_item closure_expression",
    types: "impl_item trait_item struct_item enum_item union_item",
    members: "field_expression.field.value scoped_identifier.name.path scoped_type_identifier.name.path",
    keys: "field_initializer.field field_pattern.name",
    calls: "call_expression.function macro_invocation.macro",
    heritage: "impl_item.trait trait_item.bounds",
    makes: "struct_expression.name",
    shares: "none",
  },
  java: {
    declares: {
      class: "class_declaration.name record_declaration.name enum_declaration.name interface_declaration.name " +
        "annotation_type_declaration.name",
      type: "type_parameter.",
      variable: "variable_declarator.name enhanced_for_statement.name resource.name catch_formal_parameter.name " +
        "instanceof_expression.name",
      parameter: "formal_parameter.name inferred_parameters. lambda_expression.parameters",
      member: "method_declaration.name constructor_declaration.name enum_constant.name",
    },
    scopes: "program class_declaration record_declaration enum_declaration interface_declaration " +
      "annotation_type_declaration method_declaration constructor_declaration block lambda_expression for_statement " +
      "enhanced_for_statement try_with_resources_statement catch_clause switch_block_statement_group",
    functions: "program method_declaration constructor_declaration lambda_expression",
    types: "class_declaration record_declaration enum_declaration interface_declaration annotation_type_declaration",
    members: "field_access.field.object method_invocation.name.object method_reference..",
    calls: "method_invocation.name object_creation_expression.type",
    heritage: "superclass super_interfaces extends_interfaces",
    makes: "object_creation_expression.type",
    hasImplicitThis: true,
    shares: "folder",
  },
  csharp: {
    declares: {
      function: "local_function_statement.name delegate_declaration.name",
      class: "class_declaration.name record_declaration.name struct_declaration.name interface_declaration.name " +
        "enum_declaration.name",
      type: "type_parameter.name",
      variable: "variable_declarator.name foreach_statement.left catch_declaration.name declaration_pattern.name " +
        "declaration_expression.name",
      parameter: "parameter.name implicit_parameter lambda_expression.parameters",
      member: "method_declaration.name constructor_declaration.name property_declaration.name " +
        "enum_member_declaration.name",
    },
    scopes: "compilation_unit class_declaration record_declaration struct_declaration interface_declaration " +
      "enum_declaration method_declaration constructor_declaration block lambda_expression for_statement " +
      "foreach_statement catch_clause local_function_statement",
    functions: "compilation_unit method_declaration constructor_declaration lambda_expression local_function_statement",
    types: "class_declaration record_declaration struct_declaration interface_declaration enum_declaration",
    members: "member_access_expression.name.expression qualified_name.name.qualifier " +
      "conditional_access_expression.name.condition",
    calls: "invocation_expression.function object_creation_expression.type",
    heritage: "base_list",
    makes: "object_creation_expression.type",
    hasImplicitThis: true,
    shares: "tree",
  },
  ruby: {
    declares: {
      class: "class.name",
      module: "module.name",
      variable: "assignment.left left_assignment_list. exception_variable.",
      parameter: "method_parameters. optional_parameter.name splat_parameter.name keyword_parameter.name " +
        "block_parameter.name block_parameters. hash_splat_parameter.name lambda_parameters.",
      member: "method.name singleton_method.name",
    },
    scopes: "program class module method singleton_method block do_block lambda",
    functions: "program class module method singleton_method",
    ignoresBlocks: true,
    types: "class module",
    members: "call.method.receiver scope_resolution.name.scope",
    calls: "call.method",
    heritage: "superclass",
    hasImplicitThis: true,
    shares: "tree",
  },
  php: {
    declares: {
      function: "function_definition.name",
      class: "class_declaration.name interface_declaration.name trait_declaration.name enum_declaration.name",
      variable: "assignment_expression.left foreach_statement. catch_clause.name",
      parameter: "simple_parameter.name variadic_parameter.name property_promotion_parameter.name",
      member: "method_declaration.name property_element.name const_element. enum_case.name",
    },
    patterns: "variable_name. pair.",
    scopes: "program class_declaration interface_declaration trait_declaration enum_declaration method_declaration " +
      "function_definition anonymous_function_creation_expression anonymous_function arrow_function",
    functions: "program method_declaration function_definition anonymous_function_creation_expression " +
      "anonymous_function arrow_function",
    ignoresBlocks: true,
    types: "class_declaration interface_declaration trait_declaration enum_declaration",
    members:
      "member_access_expression.name.object member_call_expression.name.object scoped_call_expression.name.scope " +
      "nullsafe_member_call_expression.name.object class_constant_access_expression..",
    calls: "function_call_expression.function member_call_expression.name scoped_call_expression.name " +
      "object_creation_expression. nullsafe_member_call_expression.name",
    heritage: "base_clause class_interface_clause",
    makes: "object_creation_expression.",
    shares: "tree",
  },
  bash: {
    declares: { function: "function_definition.name", variable: "variable_assignment.name for_statement.variable" },
    scopes: "program function_definition",
    functions: "program function_definition",
    ignoresBlocks: true,
    types: "",
    members: "",
    calls: "command_name. command.name",
    heritage: "",
    shares: "tree",
  },
};
