#include <grpc/grpc.h>
#include "CgRPCShim.h"
int cgrpcshim_skeleton(void) { return grpc_is_initialized(); }
