/**
 * @file The Rewright language: tensor rewrite rules, kernels, graphs, loop nests and lifts.
 *
 * Three decisions carry the rest. A newline is a token where an item may end and white space elsewhere (as in
 * tree-sitter-go), so no external scanner is needed. Every beginning of an item is an item, so that a half-typed line
 * ends at its newline; what is lacking is reported by the language server, not here. And the words that start a
 * declaration are reserved while every closing brace is optional, so that half-typed text does not swallow the
 * declaration below it.
 *
 * @license Apache-2.0
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const PREC = {
  range: -1,
  quantified: 0,
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  bit_or: 5,
  bit_xor: 6,
  bit_and: 7,
  shift: 8,
  sum: 9,
  product: 10,
  sign: 11,
  postfix: 12,
};

const DECLARATION_WORDS = [
  'rule', 'lemma', 'kernel', 'equivalent', 'graph', 'operator', 'refine', 'loops', 'transform', 'lift', 'import',
];

const QUANTIFIERS = ['some', 'every', 'forall'];

const COMPARISONS = ['<', '<=', '>', '>=', '==', '!='];

/** One or more, separated by commas. */
const list = rule => seq(rule, repeat(seq(',', rule)));

/** None or more, separated by commas; the last one may be followed by a comma. */
const entries = rule => optional(seq(rule, repeat(seq(',', rule)), optional(',')));

/** The parts in their order, or a beginning of them: at least the first. */
const beginning = (first, ...rest) => prec.right(rest.length === 0
  ? first
  : seq(first, optional(beginning(rest[0], ...rest.slice(1)))));

/** Items between braces, each on a line of its own or followed by a semicolon. */
const braces = ($, item) => prec.right(seq(
  '{',
  optional(item),
  repeat(seq($._end, optional(item))),
  optional('}'),
));

export default grammar({
  name: 'rewright',

  word: $ => $.identifier,

  reserved: {
    global: _ => DECLARATION_WORDS,
  },

  extras: $ => [/\s/, $.comment, $.doc_comment],

  conflicts: $ => [
    [$.rewrite],
  ],

  rules: {
    file: $ => repeat(choice($._declaration, $._end)),

    comment: _ => token(seq('//', /[^\r\n]*/)),
    doc_comment: _ => token(prec(1, seq('///', /[^\r\n]*/))),

    _newline: _ => token(prec(1, choice('\n', '\r\n', '\r'))),
    _end: $ => choice($._newline, ';'),

    // ------------------------------------------------------------------------------------------ declarations

    _declaration: $ => choice(
      $.rule_declaration,
      $.kernel_declaration,
      $.equivalent_declaration,
      $.graph_declaration,
      $.operator_declaration,
      $.refine_declaration,
      $.loops_declaration,
      $.transform_declaration,
      $.lift_declaration,
      $.import_declaration,
    ),

    rule_declaration: $ => prec.right(seq(
      optional($._attributes),
      field('word', choice('rule', 'lemma')),
      optional(field('name', $.identifier)),
      optional(field('type_parameters', $.type_parameters)),
      optional(field('parameters', $.parameters)),
      optional(field('body', alias($._rule_body, $.body))),
    )),

    kernel_declaration: $ => prec.right(seq(
      optional($._attributes),
      field('word', 'kernel'),
      optional(field('name', $.identifier)),
      optional(field('type_parameters', $.type_parameters)),
      optional(field('parameters', $.parameters)),
      optional(field('source', $.source)),
      optional(field('body', alias($._kernel_body, $.body))),
    )),

    equivalent_declaration: $ => prec.right(seq(
      optional($._attributes),
      beginning(field('word', 'equivalent'), field('left', $.identifier), '~', field('right', $.identifier)),
    )),

    graph_declaration: $ => prec.right(seq(
      optional($._attributes),
      field('word', 'graph'),
      optional(field('name', $.identifier)),
      optional(field('parameters', $.parameters)),
      optional(beginning('->', list(field('result', $.identifier)))),
      optional(beginning('on', field('mesh', $.call))),
      optional(field('source', $.source)),
      optional(field('body', alias($._graph_body, $.body))),
    )),

    operator_declaration: $ => prec.right(seq(
      optional($._attributes),
      field('word', 'operator'),
      optional(field('name', $.identifier)),
      optional(field('parameters', $.parameters)),
      optional(beginning('->', field('type', $.type))),
    )),

    refine_declaration: $ => prec.right(seq(
      optional($._attributes),
      field('word', 'refine'),
      optional(field('name', $.identifier)),
      optional(beginning('of', field('target', $.identifier))),
      optional(beginning('at', list(field('at', choice($.keyed_argument, $.number))))),
      optional(field('body', alias($._refine_body, $.body))),
    )),

    loops_declaration: $ => prec.right(seq(
      optional($._attributes),
      field('word', 'loops'),
      optional(field('name', $.identifier)),
      optional(field('parameters', $.parameters)),
      optional(field('source', $.source)),
      optional(field('body', alias($._loops_body, $.body))),
    )),

    transform_declaration: $ => prec.right(seq(
      optional($._attributes),
      field('word', 'transform'),
      optional(field('name', $.identifier)),
      optional(field('parameters', $.parameters)),
      optional(beginning('of', field('target', $.identifier))),
      optional(field('source', $.source)),
      optional(beginning('at', list(field('at', choice($.keyed_argument, $.number))))),
      optional(field('body', alias($._loops_body, $.body))),
    )),

    lift_declaration: $ => prec.right(seq(
      optional($._attributes),
      field('word', 'lift'),
      optional(field('name', $.identifier)),
      optional(field('source', $.source)),
      optional(field('body', alias($._lift_body, $.body))),
    )),

    import_declaration: $ => prec.right(seq(
      optional($._attributes),
      beginning(field('word', 'import'), field('path', $.string)),
    )),

    // An attribute that is not alone on its line is reported by the language server.
    _attributes: $ => repeat1(seq($.attribute, repeat($._newline))),
    attribute: $ => seq('@', optional(field('name', $.identifier)), optional($._arguments)),

    type_parameters: $ => prec.right(seq('<', optional(list($.type_parameter)), optional('>'))),
    type_parameter: $ => seq(
      field('name', $.identifier),
      optional(seq(':', field('bound', $.identifier))),
      optional(seq('=', field('value', $._operand))),
    ),

    // Newlines separate parameters as commas do; they are spelled out because the closing bracket is optional.
    parameters: $ => prec.right(seq(
      '(',
      repeat($._newline),
      optional(seq(
        $.parameter,
        repeat(seq($._separator, $.parameter)),
        optional($._separator),
      )),
      optional(')'),
    )),
    _separator: $ => prec.right(choice(seq(',', repeat($._newline)), repeat1($._newline))),
    parameter: $ => seq(
      field('name', $.identifier),
      optional(seq(
        ':',
        optional(field('mode', choice('in', 'out', 'inout'))),
        optional(field('type', $.type)),
        optional(seq('=', field('value', $._expression))),
      )),
    ),

    source: $ => beginning(
      'from',
      field('path', $.string),
      '::',
      // A function of another language may have any name, `kernel` too.
      field('entry', choice($.identifier, alias(choice(...DECLARATION_WORDS), $.identifier))),
      seq('<', entries(field('argument', $._primary)), '>'),
    ),

    // ------------------------------------------------------------------------------------------------ bodies

    _rule_body: $ => braces($, choice(
      $.axes_item, $.axis_item, $.map_item, $.int_item, $.scalar_item, $.tensor_item, $.fn_item, $.monoid_item,
      $.let_item, $.rewrite, $.where_item, $.assume_item, $.check_item, $.example_item,
    )),

    _kernel_body: $ => braces($, choice(
      $.requires_item, $.ensures_item, $.launch_item, $.shared_item, $.define_item, $._statement,
    )),

    _graph_body: $ => braces($, choice($.assignment, $.let_item, $.requires_item, $.for_statement)),

    _refine_body: $ => braces($, choice($.placement, $.assignment, $.expect_item, $.requires_item, $.using_item)),

    _loops_body: $ => braces($, choice(
      $.array_item, $.private_item, $.reduction_item, $.requires_item, $._statement,
    )),

    _lift_body: $ => braces($, choice(
      $.parameter_item, $.define_item, $.launch_item, $.requires_item, $.let_item, $.expect_item,
    )),

    // ------------------------------------------------------------------------------------------ items of rules

    axes_item: $ => beginning('axes', list($.rank_class)),
    rank_class: $ => seq($.axis_group, repeat(seq('~', $.axis_group))),
    axis_group: $ => seq(field('name', $.identifier), optional('+')),
    axis_item: $ => beginning('axis', list($.rank_class)),
    map_item: $ => beginning('map', $._names, 'on', field('on', $.identifier)),
    int_item: $ => beginning('int', $._names),
    scalar_item: $ => beginning('scalar', $._names, ':', field('type', $.type)),
    tensor_item: $ => beginning('tensor', list(choice(field('name', $.identifier), $.family)), ':', field('type', $.type)),
    family: $ => seq(field('name', $.identifier), '...', optional(field('count', $.identifier))),
    fn_item: $ => beginning('fn', $._names, ':', field('type', $.fn_type)),
    monoid_item: $ => beginning('monoid', $._names, ':', field('type', $.type)),

    let_item: $ => beginning(
      'let',
      choice(field('name', $.identifier), seq('(', entries(field('name', $.identifier)), ')')),
      choice(
        seq('=', field('value', $._expression)),
        beginning(':', field('type', $.type), seq('=', field('value', $._expression))),
      ),
    ),

    rewrite: $ => seq(
      field('left', $._expression),
      optional(seq(repeat($._newline), field('arrow', choice('=>', '<=>')), field('right', $._expression))),
    ),

    where_item: $ => beginning('where', list($._expression)),
    assume_item: $ => beginning('assume', list($._expression)),
    check_item: $ => beginning('check', 'over', list(field('type', $.identifier))),
    example_item: $ => beginning('example', $._example_body),
    _example_body: $ => prec.right(seq(
      '{',
      optional($.keyed_argument),
      repeat(seq(choice($._end, ','), optional($.keyed_argument))),
      optional('}'),
    )),

    _names: $ => list(field('name', $.identifier)),

    // ---------------------------------------------------------------------- items of kernels, loops, lifts

    requires_item: $ => beginning('requires', list($._expression)),
    ensures_item: $ => beginning('ensures', list($._expression)),
    launch_item: $ => beginning('launch', list($._expression)),
    shared_item: $ => beginning('shared', $._names, ':', field('type', $.type)),
    define_item: $ => beginning('define', field('name', $.identifier), seq('=', field('value', $._expression))),
    array_item: $ => beginning('array', $._names, ':', field('type', $.type)),
    private_item: $ => beginning('private', $._names),
    reduction_item: $ => beginning('reduction', $._names),
    parameter_item: $ => list($.parameter),
    expect_item: $ => beginning('expect', choice($.placement, $.assignment)),
    using_item: $ => beginning('using', $._names),
    placement: $ => beginning(seq(field('name', $.identifier), ':'), list($._expression)),

    // -------------------------------------------------------------------------------------------- statements

    _statement: $ => choice(
      $.let_item,
      $.var_item,
      $.assume_item,
      $.assert_item,
      $.assignment,
      $.if_statement,
      $.for_statement,
      $.parallel_statement,
      $.while_statement,
      $.return_statement,
      $.expression_statement,
      $.labelled_statement,
    ),

    var_item: $ => beginning(
      'var',
      field('name', $.identifier),
      choice(
        seq('=', field('value', $._expression)),
        beginning(':', field('type', $.type), seq('=', field('value', $._expression))),
      ),
    ),
    assert_item: $ => beginning('assert', list($._expression)),
    assignment: $ => seq(
      field('target', $._operand),
      field('operator', choice('=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=')),
      field('value', $._expression),
    ),
    if_statement: $ => beginning(
      'if',
      field('condition', $._expression),
      field('then', $.block),
      'else',
      field('otherwise', choice($.block, $.if_statement)),
    ),
    for_statement: $ => beginning('for', list($.for_head), field('body', $.block)),
    for_head: $ => beginning(field('name', $.identifier), 'in', field('range', $._expression)),
    parallel_statement: $ => beginning('parallel', $.for_statement),
    while_statement: $ => beginning('while', field('condition', $._expression), field('body', $.block)),
    return_statement: _ => 'return',
    expression_statement: $ => $._expression,
    labelled_statement: $ => beginning(seq(field('label', $.identifier), ':'), $._statement),
    block: $ => braces($, $._statement),

    // ------------------------------------------------------------------------------------------------- types

    type: $ => prec.right(seq(field('element', $.identifier), optional($._shape))),
    _shape: $ => seq('[', entries($.shape_entry), ']'),
    shape_entry: $ => choice(
      field('size', $._expression),
      beginning(seq(field('axis', $.identifier), ':'), field('size', $._expression)),
    ),
    fn_type: $ => beginning(choice(seq('(', entries($.type), ')'), $.type), '->', field('result', $.type)),

    // ------------------------------------------------------------------------------------------- expressions

    _expression: $ => choice(
      $._operand,
      $.comparison,
      $.chained_comparison,
      alias($._negation, $.unary),
      alias($._connective, $.binary),
      $.quantified,
      $.range,
    ),

    _operand: $ => choice(
      $._primary,
      $.unary,
      $.binary,
    ),

    _primary: $ => choice(
      $._name,
      $.number,
      $.string,
      $.hole,
      $.call,
      $.index,
      $.field,
      $.list,
      $.tuple,
      $._juxtaposed,
    ),

    // The words of quantifiers are names where no quantifier follows.
    _name: $ => choice($.identifier, prec(-1, alias(choice(...QUANTIFIERS), $.identifier))),

    // Reserved words are only recognised where an identifier could stand. So let one stand behind any operand, and
    // never accept it: `_nothing` matches no text that anybody writes.
    _juxtaposed: $ => prec.left(PREC.postfix, seq($._primary, $.identifier, $._nothing)),
    _nothing: _ => '\u0001',

    range: $ => prec.right(PREC.range, seq(
      field('low', $._expression),
      '..',
      field('high', $._expression),
      optional(seq('step', field('step', $._expression))),
    )),

    quantified: $ => prec.right(PREC.quantified, seq(
      field('word', choice(...QUANTIFIERS)),
      list($.binder),
      ':',
      field('body', $._expression),
    )),
    binder: $ => seq(
      field('name', $.identifier),
      optional(choice(seq('in', field('within', $._expression)), seq('on', field('on', $.identifier)))),
    ),

    _connective: $ => choice(
      prec.left(PREC.or, seq(field('left', $._expression), field('operator', 'or'), field('right', $._expression))),
      prec.left(PREC.and, seq(field('left', $._expression), field('operator', 'and'), field('right', $._expression))),
    ),

    _negation: $ => prec.right(PREC.not, seq(field('operator', 'not'), field('operand', $._expression))),

    comparison: $ => prec.left(PREC.comparison, seq(
      field('left', $._operand),
      field('operator', choice(...COMPARISONS)),
      field('right', $._operand),
    )),

    // Not of the language: a node of its own, so that the error is reported as what it is.
    chained_comparison: $ => prec.left(PREC.comparison, seq(
      field('left', choice($.comparison, $.chained_comparison)),
      field('operator', choice(...COMPARISONS)),
      field('right', $._operand),
    )),

    binary: $ => choice(...[
      ['|', PREC.bit_or],
      ['^', PREC.bit_xor],
      ['&', PREC.bit_and],
      [choice('<<', '>>'), PREC.shift],
      [choice('+', '-'), PREC.sum],
      [choice('*', '/', '%', '@'), PREC.product],
    ].map(([operator, precedence]) => prec.left(precedence, seq(
      field('left', $._operand),
      field('operator', operator),
      field('right', $._operand),
    )))),

    unary: $ => prec(PREC.sign, seq(field('operator', choice('-', '+', '~')), field('operand', $._operand))),

    call: $ => prec(PREC.postfix, seq(field('callee', $._name), $._arguments)),
    index: $ => prec(PREC.postfix, seq(field('base', $._primary), '[', entries($._argument), ']')),
    field: $ => prec.right(PREC.postfix, seq(field('base', $._primary), '.', optional(field('name', $.identifier)))),
    list: $ => seq('[', entries($._argument), ']'),
    tuple: $ => $._arguments,

    _arguments: $ => seq('(', entries($._argument), ')'),
    _argument: $ => choice($._expression, $.spread, $.keyed_argument, $.grouped_argument, $.renaming),
    spread: $ => seq(field('value', $._expression), '...'),
    keyed_argument: $ => beginning(seq(field('name', $.identifier), '='), field('value', $._expression)),
    grouped_argument: $ => beginning(seq(field('name', $.identifier), ':'), field('value', $._expression)),
    renaming: $ => beginning(seq(field('source', $._selector), '->'), field('target', $._selector)),
    _selector: $ => choice($.identifier, $.list),

    hole: _ => '?',
    string: _ => token(seq('"', /([^"\\\r\n]|\\[^\r\n])*/, '"')),
    number: _ => token(choice(
      /[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+-]?[0-9]+)?/,
      /0[xX][0-9a-fA-F_]+/,
    )),
    identifier: _ => /[_\p{XID_Start}]\p{XID_Continue}*/,
  },
});
