module @jit_step_dp attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["tp"=2]> {stablehlo.mesh = {axes = [{name = "tp", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x4xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<8x4xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<16x4xf32> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"tp"}, {}]>, <@mesh, [{"tp"}, {}]>] out_shardings=[<@mesh, []>, <@mesh, [{}, {}]>] manual_axes={"tp"} (%arg3: tensor<16x4xf32>, %arg4: tensor<4x16xf32>, %arg5: tensor<4x4xf32>) {
      %1 = stablehlo.dot_general %arg4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
      %2 = stablehlo.subtract %1, %arg5 : tensor<4x4xf32>
      %3 = stablehlo.multiply %2, %2 : tensor<4x4xf32>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %5 = stablehlo.multiply %4, %2 : tensor<4x4xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
      %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %7 = stablehlo.divide %6, %cst_1 : tensor<f32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %8 = stablehlo.divide %cst_2, %cst_1 : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %10 = stablehlo.multiply %9, %5 : tensor<4x4xf32>
      %11 = stablehlo.dot_general %10, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
      %12 = stablehlo.transpose %11, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
      %13 = "stablehlo.all_reduce"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %18 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %18 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %14 = stablehlo.divide %13, %cst_3 : tensor<f32>
      %15 = "stablehlo.all_reduce"(%12) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %18 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %18 : tensor<f32>
      }) : (tensor<16x4xf32>) -> tensor<16x4xf32>
      %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %17 = stablehlo.divide %15, %16 : tensor<16x4xf32>
      sdy.return %14, %17 : tensor<f32>, tensor<16x4xf32>
    } : (tensor<16x4xf32>, tensor<8x16xf32>, tensor<8x4xf32>) -> (tensor<f32>, tensor<16x4xf32>)
    return %0#0, %0#1 : tensor<f32>, tensor<16x4xf32>
  }
}
