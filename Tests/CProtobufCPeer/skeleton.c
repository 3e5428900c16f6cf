#include "CProtobufCPeer.h"
int cprotobufcpeer_skeleton(void) { return 0; }
