/// ternerss/mobile-style-transfer: bottlenecks with depthwise convolutions between zero-padded 7×7 ends, none of
/// them with a bias.
let ternerssText = """
  recipe "ternerss" {
    title "ternerss/mobile-style-transfer"
    pixels(imagenet, rounding: truncate)
    input %x

    \(bottleneckBlocks)

    %x = conv(%x, weight: @"model.0.weight", padding: half(@"model.0.weight"))
    use normed(%x, "model.1")
    %x = relu(%x)
    use bottleneck(%x, %x, "model.3", 2)
    use bottleneck(%x, %x, "model.4", 2)
    repeat i from 5 while "model.{i}.conv1.weight" exists {
      use bottleneck(%y, %x, "model.{i}", 1)
      %x = add(%y, %x)
    }
    use enlarging(%x, "model.{i}.conv1")
    use enlarging(%x, "model.{i+1}.conv1")
    %x = conv(%x, weight: @"model.{i+2}.weight", padding: half(@"model.{i+2}.weight"))
    output %x
  }
  """
