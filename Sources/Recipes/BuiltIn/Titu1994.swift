/// titu1994/Fast-Neural-Style, weights as Keras 1 wrote them with Theano: kernels are those of a convolution proper, and
/// so stand backwards; "same" pads by half the kernel on all sides; batch norms of mode 2 take each picture's own
/// statistics, as instance norms do. Pixels are divided by 255 before the network, and its last layer (which has no
/// weights) brings the tanh to 0…255; the author cuts off fractions.
let titu1994Text = """
  recipe "titu1994" {
    title "titu1994/Fast-Neural-Style, Keras 1 with Theano"
    pixels(unit, output_scale: [127.5, 127.5, 127.5], output_bias: [127.5, 127.5, 127.5], rounding: truncate)
    input %x
    %x = conv(%x, weight: flipped(@"conv1_W"), bias: @"conv1_b", padding: half(@"conv1_W"))
    %x = relu(%x)
    %x = instance_norm(%x, gamma: @"batchnorm1_gamma", beta: @"batchnorm1_beta", epsilon: 1e-5)
    %x = conv(%x, weight: flipped(@"conv2_W"), bias: @"conv2_b", padding: half(@"conv2_W"), stride: 2)
    %x = relu(%x)
    %x = instance_norm(%x, gamma: @"batchnorm2_gamma", beta: @"batchnorm2_beta", epsilon: 1e-5)
    %x = conv(%x, weight: flipped(@"conv3_W"), bias: @"conv3_b", padding: half(@"conv3_W"), stride: 2)
    %x = relu(%x)
    %x = instance_norm(%x, gamma: @"batchnorm3_gamma", beta: @"batchnorm3_beta", epsilon: 1e-5)
    repeat i from 1 while "res_conv_{i}_1_W" exists {
      %y = conv(%x, weight: flipped(@"res_conv_{i}_1_W"), bias: @"res_conv_{i}_1_b", padding: half(@"res_conv_{i}_1_W"))
      %y = instance_norm(%y, gamma: @"res_batchnorm_{i}_1_gamma", beta: @"res_batchnorm_{i}_1_beta", epsilon: 1e-5)
      %y = relu(%y)
      %y = conv(%y, weight: flipped(@"res_conv_{i}_2_W"), bias: @"res_conv_{i}_2_b", padding: half(@"res_conv_{i}_2_W"))
      %y = instance_norm(%y, gamma: @"res_batchnorm_{i}_2_gamma", beta: @"res_batchnorm_{i}_2_beta", epsilon: 1e-5)
      %x = add(%y, %x)
      %x = relu(%x)
    }
    %x = conv_transpose(%x, weight: swapped(flipped(@"deconv3_W")), bias: @"deconv3_b", stride: 2, padding: half(@"deconv3_W"), output_padding: 1)
    %x = relu(%x)
    %x = instance_norm(%x, gamma: @"batchnorm4_gamma", beta: @"batchnorm4_beta", epsilon: 1e-5)
    %x = conv_transpose(%x, weight: swapped(flipped(@"deconv2_W")), bias: @"deconv2_b", stride: 2, padding: half(@"deconv2_W"), output_padding: 1)
    %x = relu(%x)
    %x = instance_norm(%x, gamma: @"batchnorm5_gamma", beta: @"batchnorm5_beta", epsilon: 1e-5)
    %x = conv(%x, weight: flipped(@"deconv1_W"), bias: @"deconv1_b", padding: half(@"deconv1_W"))
    %x = tanh(%x)
    output %x
  }
  """
