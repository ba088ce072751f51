// What protoc-c makes of Schemas/*.proto. Written by tools/regenerate-schemas.
#ifndef CSCHEMAS_H
#define CSCHEMAS_H

#include "CoreML.pb-c.h"
#include "MIL.pb-c.h"
#include "ONNX.pb-c.h"
#include "StyleModel.pb-c.h"

#endif
