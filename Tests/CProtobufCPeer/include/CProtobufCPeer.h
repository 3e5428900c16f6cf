int cprotobufcpeer_skeleton(void);
