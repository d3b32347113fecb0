"""What is in rules/ and how each declaration comes out, by hand: nothing of it is read off the files."""

from __future__ import annotations

from dataclasses import dataclass

PROVED = {
    "add": """add_reassociate_constants add_zero zero_add add_constant_to_the_right""",
    "broadcast": """add_of_broadcasts multiply_of_broadcasts transpose_of_scalar_broadcast reverse_of_scalar_broadcast
        slice_of_scalar_broadcast dynamic_slice_of_scalar_broadcast broadcast_of_iota broadcast_of_broadcast""",
    "clamp": """clamp_of_clamp max_of_min_is_clamp min_of_max_is_clamp""",
    "compare": """greater_than_self less_than_self not_equal_to_self at_least_self at_most_self equal_to_self""",
    "concatenate": """concatenate_list_of_two concatenate_reassociate concatenate_list_to_nested
        concatenate_adjacent_slices concatenate_broadcast_to_low_pad concatenate_broadcast_to_high_pad
        concatenate_flatten""",
    "convolution": """convolution_of_pad convolution_of_spread_kernel convolution_swap convolution_as_dot
        convolution_of_pad_with_dilation""",
    "divmod": """divide_by_one divide_by_constant divide_quotients divide_by_quotient remainder_of_remainder
        remainder_of_short_iota remainder_of_shifted_iota remainder_of_shifted_constant""",
    "dot": """dot_of_concatenations dot_commutes dot_reassociate_to_the_left dot_without_contraction dot_of_empty
        dot_as_sum_of_product""",
    "dynamic_slice": """dynamic_slice_to_slice dynamic_slice_of_full_length dynamic_slice_of_broadcast
        transpose_of_dynamic_slice dynamic_slice_of_dynamic_slice dynamic_slice_of_iota""",
    "dynamic_update_slice": """add_of_update_of_zeros update_of_broadcast update_of_full_size
        update_of_updated_slice""",
    "iota": """iota_of_one_element""",
    "logical": """or_true true_or or_false false_or and_true true_and and_false false_and below_both_bounds
        max_exceeds_second max_exceeds_first""",
    "max": """max_with_lowest min_with_highest""",
    "multiply": """multiply_one one_multiply multiply_zero zero_multiply multiply_gather_constants
        multiply_reassociate_constants multiply_constant_into_broadcast multiply_factor_out multiply_absolute_values
        multiply_exponentials""",
    "not": """not_of_not negate_of_negate""",
    "pad": """pad_of_nothing pad_between_single_elements pad_of_broadcast negative_pad_to_slice""",
    "reduce": """multiply_of_sums sum_of_sums_of_parts multiply_into_sum sum_of_transpose sum_of_sum
        sum_of_dot_over_batch sum_of_single_elements sum_of_transposed_single_elements""",
    "reverse": """reverse_of_single_elements reverse_of_reverse reverse_of_reverse_elsewhere reverse_of_add_constant""",
    "select": """select_same select_true select_false select_of_not""",
    "slice": """slice_of_everything slice_of_constant slice_of_broadcast slice_undoes_pad slice_of_padding
        slice_of_padded_data slice_of_slice slice_picks_second_of_concatenate slice_of_spread_axes
        slice_inside_first_of_concatenate slice_inside_second_of_concatenate slice_skips_first_of_concatenate
        slice_of_reverse""",
    "subtract": """subtract_zero subtract_constant_to_add subtract_self""",
    "transpose": """transpose_of_transpose transpose_identity""",
}
"""By file, the rules of the catalogue."""

PROVED_BESIDE = {
    "abs": """abs_of_what_is_not_negative abs_of_square""",
    "add": """add_constant_to_difference add_difference add_to_difference""",
    "bitcast": """bitcast_of_function_of_bitcast bitcast_of_bitcast bitcast_to_same_shape reshape_as_bitcast
        bitcast_chain""",
    "broadcast": """broadcast_as_reshape broadcast_as_transpose broadcast_of_reshape function_of_broadcasts
        broadcast_of_single_elements reshape_of_scalar_broadcast reshape_of_constant""",
    "clamp": """clamp_of_replica""",
    "collectives": """all_reduce_of_maximum all_reduce_of_minimum all_reduce_of_sum all_gather_of_constant
        all_to_all_of_constant""",
    "compare": """below_zero zero_above at_least_zero zero_at_most not_equal_to_false false_not_equal equal_to_true
        true_equal comparison_as_number predicate_as_number first_exceeds_min second_exceeds_min""",
    "concatenate": """concatenate_list_of_one concatenate_without_empty concatenate_with_empty concatenate_copies""",
    "constant": """constant_of_equal_elements constant_of_equal_predicates constant_as_iota constant_as_scaled_iota""",
    "convolution": """convolution_of_pad_of_any_sign convolution_of_padded_kernel convolution_of_no_features
        convolution_by_single_elements convolution_by_single_elements_with_stride convolution_as_sum_of_product
        convolution_of_no_positions convolution_of_batch_groups_as_sum_of_product
        reversed_convolution_as_sum_of_product convolution_of_multiple scaled_convolution_with_bias scaled_convolution
        reverse_of_convolution_turned""",
    "divmod": """divide_exponentials divide_by_exponential divide_by_power divide_by_square divide_by_root
        divide_by_reciprocal_root divide_by_broadcast divide_quotient divide_converted_predicate""",
    "dot": """dot_reassociate_to_the_right dot_of_reverse dot_of_pad dot_of_broadcast dot_of_concatenate
        dot_of_concatenate_on_the_right dot_of_concatenations_cut_differently dot_of_dynamic_slice
        dot_of_single_elements dot_of_transposes dot_of_transpose dot_in_another_order slice_of_dot
        dot_of_dynamic_slice_on_the_right dot_of_joined_axes_in_another_order""",
    "dynamic_slice": """dynamic_slice_of_whole_axes dynamic_slice_of_reshape dynamic_slice_of_transpose
        dynamic_slice_to_clamped_slice dynamic_slice_of_iota_at_any_start dynamic_slice_of_scaled_iota
        dynamic_slice_of_iota_of_any_length dynamic_slice_of_dynamic_slice_clamped""",
    "dynamic_update_slice": """update_of_broadcast_at_any_start update_of_whole_axes update_of_nothing
        update_of_updated_slice_clamped""",
    "exp_and_log": """exp_of_zero log_of_exp log_of_power log_of_square log_of_root log_of_reciprocal_root""",
    "logical": """xor_of_same xor_false false_xor""",
    "map": """map_of_first_argument map_of_constant map_of_function""",
    "max": """max_of_same lowest_max max_of_max_and_second max_of_max_and_first max_of_first_and_max
        max_of_second_and_max max_of_low_and_clamp max_of_monotone max_of_tanh min_of_same highest_min
        min_of_min_and_second min_of_min_and_first min_of_first_and_min min_of_second_and_min""",
    "multiply": """multiply_negated multiply_converted_predicate multiply_broadcast_constants multiply_roots
        multiply_reciprocal_roots""",
    "pad": """pad_of_pad pad_of_empty pad_then_crop""",
    "power_and_root": """power_of_zero power_of_one power_of_exp power_as_square power_as_cube power_as_reciprocal
        power_as_root root_of_product_with_itself reciprocal_root_of_power reciprocal_root_of_reciprocal""",
    "reduce": """reduce_of_transpose maximum_of_nothing sum_of_nothing sum_of_negate maximum_of_negate sum_of_dot
        maximum_of_transpose reduction_of_reduction maximum_of_maximum product_of_product conjunction_of_conjunction
        sum_of_added_single_elements sum_of_dropped_single_elements sum_of_concatenate reduction_of_concatenate
        maximum_of_concatenate product_of_concatenate maximum_of_scalar_broadcast minimum_of_broadcast
        disjunction_of_broadcast sum_of_spread sum_of_broadcast sum_and_maximum_of_concatenate reduction_of_pad
        reduction_of_reverse reduction_of_slices sum_of_squares_of_sums sum_of_iota reduction_of_nothing
        reduction_of_one_operand reduction_of_single_elements reduction_of_transpose_of_reduced reduction_of_transpose
        reduction_of_added_single_elements reduction_of_dropped_single_elements reduction_of_spread
        minimum_of_scalar_broadcast conjunction_of_scalar_broadcast disjunction_of_scalar_broadcast
        reduction_of_joined_axes reduction_beside_joined_axes""",
    "reduce_window": """window_maximum_of_nothing cumulative_sum_of_constant window_sum_of_single_elements
        window_maximum_of_single_elements window_sum_of_everything window_maximum_that_covers_all window_sum_of_pad
        window_maximum_of_pad window_sum_of_padded_single_elements window_sum_that_covers_single_elements
        last_of_cumulative_sum cumulative_sum_of_concatenate window_maximum_of_window_maximum
        sum_of_cumulative_sum_by_weights window_reduction_of_everything window_reduction_of_pad
        window_reduction_of_padded_single_elements last_of_cumulative_reduction""",
    "reshape": """reshape_chain transpose_chain reshape_of_update reshape_of_reshape reshape_of_broadcast
        reshape_of_iota reshape_of_nothing reshape_to_same_shape reshape_cut_and_joined
        reshape_of_what_moved_as_a_whole reshape_of_spread_axes reshape_of_iota_elsewhere reshape_of_cut_iota""",
    "reverse": """reverse_of_function reverse_of_function_of_constant reverse_of_function_with_rows
        reverse_of_reshape""",
    "select": """select_true_or_false select_false_or_true select_of_equal_predicates select_of_different_predicates
        select_of_update select_of_update_or_not conditional_by_predicate select_of_greater_predicate
        select_of_predicate_that_is_not_less select_of_lesser_predicate select_of_predicate_that_is_not_greater""",
    "slice": """element_of_first_of_concatenate element_of_second_of_concatenate slice_of_one_element
        slice_of_joined_axes""",
    "subtract": """subtract_difference subtract_sum subtract_first_from_sum subtract_second_from_sum""",
    "transpose": """transpose_of_reverse transpose_of_dot transpose_of_dot_and_batch transpose_of_single_elements
        transpose_of_broadcast space_to_depth""",
}
"""By file, what the catalogue does not have."""

PROVED_OF_NETWORKS = {
    "softmax": """softmax_shift softmax_shift_of_a_group softmax_without_maximum softmax_with_temperature
        softmax_adds_up_to_one sum_of_exponentials_by_parts sum_of_exponentials_by_three_parts attention_in_blocks
        attention_of_normalised_blocks softmax_gradient_adds_up_to_zero softmax_gradient_divided_at_the_end""",
    "norms": """deviations_add_up_to_zero squared_deviations_by_moments variance_by_moments
        squared_deviations_by_parts scaled_by_a_sum_of_squares deviations_by_the_variance""",
    "functions": """tanh_by_exponentials tanh_by_logistic logistic_by_tanh logistic_of_the_opposite logistic_gradient
        swish two_way_softmax softplus_of_the_opposite log_of_logistic square_of_root root_of_square
        product_of_roots reciprocal_root root_by_reciprocal_root quotient_by_root logarithms_are_ordered
        log_add_exp sum_of_logarithms difference_of_logarithms logarithm_of_square exponential_of_logarithm
        logarithm_of_exponential logarithm_of_root logarithm_of_reciprocal expm1_of_log1p log1p_of_expm1
        power_of_two power_of_a_half power_below_zero power_of_an_exponential product_of_exponentials
        ceil_by_floor floor_of_a_shift odd_and_even gelu""",
    "logarithms": """log_softmax log_softmax_shifted_by_its_maximum log_sum_exp_with_its_maximum log_sum_exp_by_parts
        log_sum_exp_of_two_parts log_sum_exp_updated cross_entropy
        product_of_what_has_logarithms""",
    "layer_norm": """layer_norm_gradient_adds_up_to_zero layer_norm_by_moments layer_norm_of_a_multiple
        rms_norm_gradient rms_norm_by_parts""",
    "scaling": "maximum_of_multiple scaled_by_the_largest",
    "fusions": """scores_scaled_after_the_shift scores_divided_before_the_product space_to_depth relu_in_a_clip""",
    "closed_forms": """sum_of_indices sum_of_indices_by_an_exact_quotient sum_of_indices_by_a_quotient_of_sizes
        sum_of_fifth_powers sum_of_indices_times_a_tensor sum_of_every_second_index sum_of_padded_indices
        sum_of_masked_indices mean_of_indices variance_of_indices geometric_sum sum_of_powers_of_two decaying_sum
        sum_of_indices_times_powers product_of_one_factor product_with_a_factor product_of_powers
        product_of_exponentials_of_indices""",
}
"""By file of rules/nn."""

WRONG_OF_NETWORKS = {
    "softmax": """softmax_shift_of_the_numerator softmax_with_temperature_of_the_numerator
        softmax_of_nothing_adds_up_to_one sum_of_exponentials_along_some_axis sum_of_exponentials_rescaled_backwards
        sum_of_exponentials_rescaled_once attention_without_rescaling attention_as_a_mean_of_blocks
        softmax_gradient_with_a_plain_sum softmax_gradient_divided_once""",
    "norms": """deviations_from_a_wrong_mean squared_deviations_of_nothing squared_deviations_by_one_less
        variance_by_the_sum squared_deviations_by_parts_of_one_size sum_of_squares_as_a_divisor
        deviations_by_two_variances""",
    "functions": """tanh_by_logistic_of_half logistic_is_odd two_way_softmax_turned_around log_of_logistic_turned_around
        root_twice absolute_value_by_roots root_of_square_without_the_sign root_of_product
        root_by_reciprocal_root_at_zero log_add_exp_overflowing logarithm_of_product
        logarithm_of_square_turned_around exponential_of_logarithm_turned_around
        expm1_of_log1p_turned_around cube_by_root product_of_scaled_exponentials ceil_is_floor_plus_one
        cosine_is_odd""",
    "logarithms": """log_softmax_shifted_once log_sum_exp_of_an_empty_part log_sum_exp_updated_without_a_maximum
        cross_entropy_of_any_weights product_by_logarithms""",
    "layer_norm": """layer_norm_gradient_without_its_mean layer_norm_by_the_variance_of_a_sample
        layer_norm_of_any_multiple rms_norm_gradient_by_two_roots rms_norm_by_the_first_part""",
    "scaling": """maximum_of_any_multiple maximum_of_multiple_of_nothing scaled_by_the_largest_of_any_sign""",
    "fusions": """scores_scaled_after_the_shift_by_any_factor scores_divided_after_the_exponential
        space_to_depth_in_another_order relu_in_a_clip_of_any_bound""",
    "closed_forms": """sum_of_indices_up_to_the_size sum_of_indices_by_a_rounded_quotient
        sum_of_indices_without_the_stride sum_of_indices_below_any_bound variance_of_indices_by_one_less
        geometric_sum_of_any_base geometric_sum_with_the_last_power product_of_one_factor_over_two_axes""",
}
"""By file of rules/nn, those whose values differ."""

CHECKED = set(
    """
    attention bucket_assign bucket_positions bucket_scatter gather histogram histogram_votes layer_norm
    layer_norm_gradient range reduce reduce_first_add reduce_halves reduce_last_warp_synchronised
    reduce_many_synchronised reduce_modulo reduce_shuffles reduce_strided reduce_to_one scan_shuffles scan_tree
    scan_two_buffers sgemm_coalesced sgemm_column_tiles sgemm_double_buffered sgemm_extra_column sgemm_naive
    sgemm_shared sgemm_square_tiles sgemm_vectors sgemm_warp_tiles softmax softmax_online softmax_rows
    stencil_wide transpose transpose_tiles wmma_gemm wmma_staged
    """.split()  # noqa: SIM905
)
WRONG_KERNELS = {
    name: fails
    for fails, names in {
        "bounds": """
            reduce_first_add_beyond scan_tree_small sgemm_naive_beyond stencil stencil_rows
            stencil_without_room transpose_square_only
        """,
        "deadlock": """
            reduce_shuffles_half
        """,
        "divergence": """
            gather_early_return scan scan_diverging
        """,
        "misaligned": """
            sgemm_unaligned
        """,
        "race": """
            attention_racing bucket_positions_racing histogram_plain layer_norm_gradient_racing
            layer_norm_racing range_racing reduce_halves_unsynchronised reduce_to_one_plainly scan_in_place
            softmax_reused_buffer softmax_without_barrier stencil_in_place stencil_unsynchronised
            transpose_unsynchronised wmma_staged_racing
        """,
        "uninitialised": """
            histogram_half_cleared sgemm_half_loaded
        """,
        "warp": """
            reduce_last_warp reduce_many reduce_unrolled sgemm_shared_one_barrier sgemm_wrong_buffer
        """,
    }.items()
    for name in names.split()
}


@dataclass(frozen=True, slots=True)
class Wrong:
    """How a wrong rule fails, and at which ranks where the story is about them."""

    fails: str
    ranks: dict[str, int] | None = None


def _wrong(fails: str, names: str, ranks: dict[str, int] | None = None) -> dict[str, Wrong]:
    return {name: Wrong(fails, ranks) for name in names.split()}


WRONG = {
    "higher_ranks": _wrong(
        "value",
        """update_of_strided_slice update_of_strided_copy low_and_high_border_are_disjoint select_on_both_borders
        reverse_of_some_unit_axis""",
        {"A": 2},
    )
    | _wrong("value", "three_borders_are_disjoint", {"A": 3})
    | _wrong("value", "first_row_and_first_column_are_disjoint", {"A": 1, "B": 1})
    | _wrong("validity", "crop_on_some_axis", {"A": 2})
    | _wrong("shape", "padding_that_is_not_everywhere fill_with_as_many_elements", {"A": 2}),
    "rank_zero": _wrong(
        "value",
        """padding_at_rank_zero empty_tensor_as_constant update_without_elements padding_of_nothing
        scalar_pinned_by_a_shape false_only_where_it_says_something updates_apart_at_rank_zero""",
        {"A": 0},
    )
    | _wrong("value", "empty_along_one_of_two_groups", {"A": 0, "B": 0}),
    "empty_results": _wrong(
        "validity",
        """slice_of_reverse_when_empty empty_slice_moved slice_of_strided_slice_when_empty
        single_element_by_a_long_stride interior_padding_of_nothing""",
        {"A": 1},
    )
    | _wrong("shape", "padding_beside_an_empty_axis", {"A": 1, "d": 1}),
    "clamped_starts": _wrong(
        "validity",
        "dynamic_slice_of_any_start dynamic_slice_clamped_above_only",
    )
    | _wrong(
        "value",
        """sum_of_starts dynamic_slice_beyond_a_slice update_that_does_not_fit update_of_a_part
        beginning_of_what_was_written updates_apart_before_clamping dynamic_slice_of_reverse_from_the_end""",
    )
    | _wrong("shape", "small_update_for_a_full_one"),
    "paddings": _wrong(
        "value",
        """merged_pads_of_any_sign merged_low_pads merged_pads_of_two_values reverse_of_pad
        prepended_fill_as_high_padding interior_padding_moved_to_the_end broadcast_out_of_padded_axes
        pad_of_a_function""",
    )
    | _wrong("shape", "merged_interior_pads slice_between_the_padding")
    | _wrong("validity", "crop_with_the_wrong_sign slice_one_beyond_the_data"),
    "slices_and_concatenations": _wrong("shape", "slice_length_rounded_down adjacent_strided_slices")
    | _wrong("validity", "slice_of_slice_with_strides slice_of_first_part_off_by_one sum_of_concatenations")
    | _wrong(
        "value",
        """slice_of_strided_slice slice_of_second_part_not_shifted adjacent_slices_of_two_tensors
        concatenate_commutes reverse_of_concatenate slice_of_iota_without_stride""",
    ),
    "axes_renamed_and_reversed": _wrong(
        "value", "transpose_of_a_square transpose_of_reverse_not_renamed dynamic_slice_of_transpose", {"I": 1, "J": 1}
    )
    | _wrong("value", "two_rotations_of_three_groups", {"I": 1, "J": 1, "K": 1})
    | _wrong("value", "reverse_along_two_groups", {"A": 0, "B": 1})
    | _wrong("value", "reverse_along_a_shared_group", {"A": 0, "B": 1, "C": 0})
    | _wrong("value", "reverse_of_a_short_axis reverse_of_one_operand", {"A": 1})
    | _wrong("value", "reverse_of_iota another_row_dropped", {"A": 0, "d": 1})
    | _wrong("value", "broadcast_of_iota_along_another_axis", {"d": 1, "e": 1}),
    "elementwise": _wrong(
        "value",
        """select_of_not_unswapped select_of_and_as_or select_of_less_as_max below_both_as_below_the_greater
        max_is_at_least_its_operand clamp_between_crossed_bounds merged_clamps negated_maximum not_of_and
        not_less_as_greater inequality_by_a_common_factor less_is_one_less difference_of_a_difference
        factor_of_one_summand absolute_value_of_a_sum product_of_exponentials_by_product function_commutes
        function_is_idempotent""",
        {"A": 0},
    )
    | _wrong("value", "block_added_beside_a_fill assumption_at_another_index", {"A": 1}),
    "infinities": _wrong(
        "value",
        "negated_highest infinities_cancel comparison_by_difference unit_of_the_other_operator",
        {"A": 0},
    )
    | _wrong("value", "all_elements_are_finite", {"A": 1}),
    "division": _wrong(
        "value",
        """quotient_of_a_shifted_dividend division_undone division_by_the_inverse integer_quotient_of_quotients
        integer_division_by_a_quotient odd_by_remainder remainder_by_a_negated_divisor
        remainder_of_a_shifted_dividend zero_as_a_quotient""",
        {"A": 0},
    )
    | _wrong("value", "remainder_of_iota_off_by_one", {"A": 0, "d": 1}),
    "vacuous": _wrong(
        "vacuous",
        """crop_that_never_applies slice_that_ends_before_it_starts even_and_odd
        dynamic_slice_longer_than_its_operand empty_and_not_empty""",
    ),
    "one_way_only": _wrong(
        "value",
        "quotient_by_itself factor_cancelled real_division_by_a_quotient sign_as_a_quotient",
        {"A": 0},
    )
    | _wrong("validity", "padding_taken_off", {"A": 1})
    | _wrong("validity", "cut_and_glued appended_fill spread_axis_dropped", {"A": 0, "d": 1}),
    "xla_simplifier": _wrong(
        "value",
        """factor_between_dynamic_slices dynamic_slices_clamped_by_the_other_sizes updates_clamped_by_the_other_sizes
        maximum_with_the_lower_bound remainder_of_iota_plus_divisor division_by_a_square
        division_by_an_integer_power operands_never_compared""",
    )
    | _wrong("shape", "crop_left_out"),
    "reductions": _wrong(
        "value",
        """sum_of_sum_with_initial_value sum_of_concatenate_with_initial_value
        sum_of_single_elements_with_initial_value sum_of_dot_over_batch_with_initial_value
        maximum_of_broadcast_without_elements sum_of_broadcast_as_a_maximum sum_of_broadcast_one_too_many
        sum_of_broadcast_with_multiplied_initial_value conjunction_of_nothing maximum_of_negate_is_not_turned
        factor_out_of_a_product summand_out_of_a_sum multiply_of_sums_on_the_diagonal
        sum_of_transpose_along_the_old_name sum_of_pad_with_any_value sum_of_cropped_pad
        sum_of_overlapping_slices maximum_of_slices_with_a_gap sum_of_squared_sums sum_of_iota_from_one""",
    )
    | _wrong("value", "sum_of_empty_group maximum_of_empty_group", {"A": 0, "C": 0}),
    "contractions": _wrong(
        "value",
        """dot_of_pad_with_any_value dot_of_pad_without_stride dot_of_broadcast_not_renumbered
        sum_of_dot_with_exchanged_pairs dot_of_reverse_forgotten dot_of_concatenate_shifted
        dot_of_concatenations_crossed dot_reassociate_with_a_transpose slice_of_dot_from_the_beginning
        convolution_of_cropped_pad convolution_swap_not_reversed reversed_convolution_not_turned
        convolution_of_a_factor_in_one_branch scaled_convolution_with_unscaled_bias reverse_of_convolution""",
    )
    | _wrong(
        "shape",
        """dot_contracts_its_batch convolution_of_pad_not_spread convolution_of_spread_pad
        convolution_of_pad_of_nothing convolution_swap_with_the_wrong_high_padding
        convolution_of_spread_kernel_too_far convolution_by_single_elements_stride_forgotten""",
    )
    | _wrong("validity", "convolution_swap_of_an_empty_input")
    | _wrong("value", "dot_of_empty_group", dict.fromkeys("ABCDEF", 0)),
    "windows": _wrong(
        "value",
        """window_with_gaps_over_single_elements window_with_padding_over_single_elements
        window_sum_of_cropped_pad window_sum_of_pad_with_any_value window_sum_of_nothing
        cumulative_sum_of_constant_from_zero window_sum_of_window_sum first_of_cumulative_sum
        cumulative_sum_without_carry window_sum_of_almost_everything sum_of_cumulative_sum""",
    )
    | _wrong(
        "shape",
        "cropping_windows_of_single_elements window_maximum_of_pad_not_spread strided_windows_of_single_elements",
    ),
}
"""By file of rules/known-wrong. `<=>` counts by its way back."""

KINDS = {
    "several tests on all axes counted as one, without a tensor": "three_borders_are_disjoint",
    "several tests on all axes counted as one, with a tensor": "select_on_both_borders",
    "one test on all axes, one tensor read at two places": "update_of_strided_slice",
    "a precondition on some axis": "padding_that_is_not_everywhere",
    "a precondition with alternatives": "reverse_of_some_unit_axis",
    "a quantity of a whole group": "fill_with_as_many_elements",
    "an assumption that ties two tensors": "update_of_strided_copy",
    "rank 0": "padding_at_rank_zero",
    "vacuous above rank 0, false there": "false_only_where_it_says_something",
    "a scalar pinned by sizes that rank 0 does not have": "scalar_pinned_by_a_shape",
    "an empty result and an invalid right side": "slice_of_reverse_when_empty",
    "an empty result and another shape": "padding_beside_an_empty_axis",
    "a negated infinity": "negated_highest",
    "a comparison with what is undefined": "comparison_by_difference",
    "a division by zero": "quotient_by_itself",
    "a quotient rounded down": "quotient_of_a_shifted_dividend",
    "a remainder's sign": "remainder_of_a_shifted_dividend",
    "a rule that says nothing": "crop_that_never_applies",
    "attributes that preconditions had pinned": "merged_low_pads",
    "data that are finite in tensors only": "all_elements_are_finite",
}
"""The kinds of false rules that a method for all ranks has to refuse, each with an example that it must be given."""

CATALOGUE_FORMS = {
    "slice_of_padding": "padding_at_rank_zero",
    "slice_of_reverse": "slice_of_reverse_when_empty",
    "dynamic_slice_to_slice": "dynamic_slice_of_any_start",
    "dynamic_slice_of_dynamic_slice": "sum_of_starts",
    "update_of_broadcast": "update_that_does_not_fit",
    "update_of_updated_slice": "update_of_a_part",
    "dot_of_empty": "dot_of_empty_group",
    "convolution_swap": "convolution_swap_with_the_wrong_high_padding",
}
"""By name, the rules that are false here as the catalogue states them; the value is the one that states it so."""

CATALOGUE_RULES = [name for names in PROVED.values() for name in names.split()]
PROVED_RULES = [*CATALOGUE_RULES, *(name for names in PROVED_BESIDE.values() for name in names.split())]
WRONG_RULES = {name: wrong for named in WRONG.values() for name, wrong in named.items()}
