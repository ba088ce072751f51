/// `TransformerNet` under the keys of eriklindernoren/Fast-Neural-Style-Transfer and its forks, jasonyen1009's for
/// the Mac among them. torchvision's `save_image`, which they use, adds a half and cuts off.
let eriklindernorenText = """
  recipe "eriklindernoren" {
    title "eriklindernoren/Fast-Neural-Style-Transfer and its forks"
    pixels(imagenet, rounding: half_up)
    input %x
    %x = pad(%x, amounts: half(@"model.0.block.1.weight"), mode: reflect)
    %x = conv(%x, weight: @"model.0.block.1.weight", bias: optional(@"model.0.block.1.bias"))
    %x = instance_norm(%x, gamma: @"model.0.norm.weight", beta: @"model.0.norm.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"model.1.block.1.weight"), mode: reflect)
    %x = conv(%x, weight: @"model.1.block.1.weight", bias: optional(@"model.1.block.1.bias"), stride: 2)
    %x = instance_norm(%x, gamma: @"model.1.norm.weight", beta: @"model.1.norm.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"model.2.block.1.weight"), mode: reflect)
    %x = conv(%x, weight: @"model.2.block.1.weight", bias: optional(@"model.2.block.1.bias"), stride: 2)
    %x = instance_norm(%x, gamma: @"model.2.norm.weight", beta: @"model.2.norm.bias", epsilon: 1e-5)
    %x = relu(%x)
    repeat i from 3 while "model.{i}.block.0.block.1.weight" exists {
      %y = pad(%x, amounts: half(@"model.{i}.block.0.block.1.weight"), mode: reflect)
      %y = conv(%y, weight: @"model.{i}.block.0.block.1.weight", bias: optional(@"model.{i}.block.0.block.1.bias"))
      %y = instance_norm(%y, gamma: @"model.{i}.block.0.norm.weight", beta: @"model.{i}.block.0.norm.bias", epsilon: 1e-5)
      %y = relu(%y)
      %y = pad(%y, amounts: half(@"model.{i}.block.1.block.1.weight"), mode: reflect)
      %y = conv(%y, weight: @"model.{i}.block.1.block.1.weight", bias: optional(@"model.{i}.block.1.block.1.bias"))
      %y = instance_norm(%y, gamma: @"model.{i}.block.1.norm.weight", beta: @"model.{i}.block.1.norm.bias", epsilon: 1e-5)
      %x = add(%y, %x)
    }
    %x = upsample(%x, factor: 2, mode: nearest)
    %x = pad(%x, amounts: half(@"model.{i}.block.1.weight"), mode: reflect)
    %x = conv(%x, weight: @"model.{i}.block.1.weight", bias: optional(@"model.{i}.block.1.bias"))
    %x = instance_norm(%x, gamma: @"model.{i}.norm.weight", beta: @"model.{i}.norm.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = upsample(%x, factor: 2, mode: nearest)
    %x = pad(%x, amounts: half(@"model.{i+1}.block.1.weight"), mode: reflect)
    %x = conv(%x, weight: @"model.{i+1}.block.1.weight", bias: optional(@"model.{i+1}.block.1.bias"))
    %x = instance_norm(%x, gamma: @"model.{i+1}.norm.weight", beta: @"model.{i+1}.norm.bias", epsilon: 1e-5)
    %x = relu(%x)
    %x = pad(%x, amounts: half(@"model.{i+2}.block.1.weight"), mode: reflect)
    %x = conv(%x, weight: @"model.{i+2}.block.1.weight", bias: optional(@"model.{i+2}.block.1.bias"))
    output %x
  }
  """
