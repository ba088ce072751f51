/// mmalotin/pytorch-fast-neural-style-mobilenetV2: bottlenecks with depthwise convolutions between reflected 9×9
/// ends, none of them with a bias.
let mmalotinText = """
  recipe "mmalotin" {
    title "mmalotin/pytorch-fast-neural-style-mobilenetV2"
    pixels(raw255, rounding: truncate)
    input %x

    \(bottleneckBlocks)

    %x = pad(%x, amounts: half(@"conv1.weight"), mode: reflect)
    %x = conv(%x, weight: @"conv1.weight")
    use normed(%x, "in1")
    %x = relu(%x)
    use bottleneck(%x, %x, "conv2", 2)
    use bottleneck(%x, %x, "conv3", 2)
    repeat i from 1 while "res{i}.conv1.weight" exists {
      use bottleneck(%y, %x, "res{i}", 1)
      %x = add(%y, %x)
    }
    use enlarging(%x, "upconv1.conv1")
    use enlarging(%x, "upconv2.conv1")
    %x = pad(%x, amounts: half(@"conv4.weight"), mode: reflect)
    %x = conv(%x, weight: @"conv4.weight")
    output %x
  }
  """
