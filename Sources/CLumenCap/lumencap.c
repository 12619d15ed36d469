#include "lumencap.h"
