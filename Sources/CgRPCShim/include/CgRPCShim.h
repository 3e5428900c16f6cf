#ifndef CGRPCSHIM_H
#define CGRPCSHIM_H
int cgrpcshim_skeleton(void);
#endif
