/// `TransformerNet` under the keys of eriklindernoren/Fast-Neural-Style-Transfer and its forks, jasonyen1009's for
/// the Mac among them. torchvision's `save_image`, which they use, adds a half and cuts off.
let eriklindernorenText = """
  recipe "eriklindernoren" {
    title "eriklindernoren/Fast-Neural-Style-Transfer and its forks"
    pixels(imagenet, rounding: half_up)
    input %x

    block layer(%out, %in, p, s) {
      %out = pad(%in, amounts: half(@"{p}.block.1.weight"), mode: reflect)
      %out = conv(%out, weight: @"{p}.block.1.weight", bias: optional(@"{p}.block.1.bias"), stride: s)
    }
    block normed(%out, %in, p, s) {
      use layer(%out, %in, p, s)
      %out = instance_norm(%out, gamma: @"{p}.norm.weight", beta: @"{p}.norm.bias", epsilon: 1e-5)
    }
    block active(%out, %in, p, s) {
      use normed(%out, %in, p, s)
      %out = relu(%out)
    }

    use active(%x, %x, "model.0", 1)
    use active(%x, %x, "model.1", 2)
    use active(%x, %x, "model.2", 2)
    repeat i from 3 while "model.{i}.block.0.block.1.weight" exists {
      use active(%y, %x, "model.{i}.block.0", 1)
      use normed(%y, %y, "model.{i}.block.1", 1)
      %x = add(%y, %x)
    }
    %x = upsample(%x, factor: 2, mode: nearest)
    use active(%x, %x, "model.{i}", 1)
    %x = upsample(%x, factor: 2, mode: nearest)
    use active(%x, %x, "model.{i+1}", 1)
    use layer(%x, %x, "model.{i+2}", 1)
    output %x
  }
  """
