module @jit_attn_sp attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["tp"=2]> {stablehlo.mesh = {axes = [{name = "tp", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>) -> (tensor<16x32xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) in_shardings=[<@mesh, [{"tp"}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {"tp"}]>, <@mesh, [{}, {"tp"}]>, <@mesh, [{}, {"tp"}]>, <@mesh, [{"tp"}, {}]>] out_shardings=[<@mesh, [{"tp"}, {}]>] manual_axes={"tp"} (%arg6: tensor<8x32xf32>, %arg7: tensor<32xf32>, %arg8: tensor<32x16xf32>, %arg9: tensor<32x16xf32>, %arg10: tensor<32x16xf32>, %arg11: tensor<16x32xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.reduce(%arg6 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
      %4 = stablehlo.divide %2, %3 : tensor<8x1xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
      %6 = stablehlo.subtract %arg6, %5 : tensor<8x32xf32>
      %7 = stablehlo.multiply %6, %6 : tensor<8x32xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x32xf32>, tensor<f32>) -> tensor<8xf32>
      %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
      %11 = stablehlo.divide %9, %10 : tensor<8x1xf32>
      %12 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
      %13 = stablehlo.subtract %arg6, %12 : tensor<8x32xf32>
      %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
      %15 = stablehlo.add %11, %14 : tensor<8x1xf32>
      %16 = stablehlo.rsqrt %15 : tensor<8x1xf32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x32xf32>
      %18 = stablehlo.multiply %13, %17 : tensor<8x32xf32>
      %19 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<8x32xf32>
      %21 = stablehlo.multiply %18, %20 : tensor<8x32xf32>
      %22 = "stablehlo.all_gather"(%21) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<8x32xf32>) -> tensor<16x32xf32>
      %23 = stablehlo.dot_general %22, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
      %24 = stablehlo.reshape %23 : (tensor<16x16xf32>) -> tensor<16x2x8xf32>
      %25 = stablehlo.transpose %24, dims = [1, 0, 2] : (tensor<16x2x8xf32>) -> tensor<2x16x8xf32>
      %26 = stablehlo.dot_general %22, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
      %27 = stablehlo.reshape %26 : (tensor<16x16xf32>) -> tensor<16x2x8xf32>
      %28 = stablehlo.transpose %27, dims = [1, 0, 2] : (tensor<16x2x8xf32>) -> tensor<2x16x8xf32>
      %29 = stablehlo.dot_general %22, %arg10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
      %30 = stablehlo.reshape %29 : (tensor<16x16xf32>) -> tensor<16x2x8xf32>
      %31 = stablehlo.transpose %30, dims = [1, 0, 2] : (tensor<16x2x8xf32>) -> tensor<2x16x8xf32>
      %32 = stablehlo.dot_general %25, %28, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x8xf32>, tensor<2x16x8xf32>) -> tensor<2x16x16xf32>
      %cst_4 = stablehlo.constant dense<0.353553385> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
      %34 = stablehlo.multiply %32, %33 : tensor<2x16x16xf32>
      %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %35 = stablehlo.reduce(%34 init: %cst_5) applies stablehlo.maximum across dimensions = [2] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
      %37 = stablehlo.maximum %36, %35 : tensor<2x16xf32>
      %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
      %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x16xf32>
      %40 = stablehlo.subtract %34, %39 : tensor<2x16x16xf32>
      %41 = stablehlo.exponential %40 : tensor<2x16x16xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %42 = stablehlo.reduce(%41 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<2x16xf32>
      %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
      %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x16xf32>
      %45 = stablehlo.divide %41, %44 : tensor<2x16x16xf32>
      %46 = stablehlo.dot_general %45, %31, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x16x16xf32>, tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
      %47 = stablehlo.transpose %46, dims = [1, 0, 2] : (tensor<2x16x8xf32>) -> tensor<16x2x8xf32>
      %48 = stablehlo.reshape %47 : (tensor<16x2x8xf32>) -> tensor<16x16xf32>
      %49 = stablehlo.dot_general %48, %arg11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
      %50 = "stablehlo.reduce_scatter"(%49) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %52 = stablehlo.add %arg12, %arg13 : tensor<f32>
        stablehlo.return %52 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<8x32xf32>
      %51 = stablehlo.add %arg6, %50 : tensor<8x32xf32>
      sdy.return %51 : tensor<8x32xf32>
    } : (tensor<16x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    return %0 : tensor<16x32xf32>
  }
}
