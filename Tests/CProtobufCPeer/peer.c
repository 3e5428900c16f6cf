#include "CProtobufCPeer.h"

#include <stdlib.h>
#include <string.h>

#include "google/protobuf/duration.pb-c.h"
#include "google/protobuf/timestamp.pb-c.h"
#include "grpc/health/v1/health.pb-c.h"
#include "speechly/identity/v1/identity.pb-c.h"
#include "speechly/identity/v2/identity_api.pb-c.h"
#include "speechly/slu/v1/batch.pb-c.h"
#include "speechly/slu/v1/slu.pb-c.h"
#include "speechly/slu/v1/wlu.pb-c.h"

static const ProtobufCMessageDescriptor *const descriptors[] = {
    &speechly__identity__v2__login_request__descriptor,
    &speechly__identity__v2__application_scope__descriptor,
    &speechly__identity__v2__project_scope__descriptor,
    &speechly__identity__v2__login_response__descriptor,
    &speechly__slu__v1__slurequest__descriptor,
    &speechly__slu__v1__sluconfig__descriptor,
    &speechly__slu__v1__sluconfig__option__descriptor,
    &speechly__slu__v1__sluevent__descriptor,
    &speechly__slu__v1__slustart__descriptor,
    &speechly__slu__v1__slustart__option__descriptor,
    &speechly__slu__v1__slustop__descriptor,
    &speechly__slu__v1__sluresponse__descriptor,
    &speechly__slu__v1__slutranscript__descriptor,
    &speechly__slu__v1__sluentity__descriptor,
    &speechly__slu__v1__sluintent__descriptor,
    &speechly__slu__v1__slusegment_end__descriptor,
    &speechly__slu__v1__slutentative_transcript__descriptor,
    &speechly__slu__v1__slutentative_entities__descriptor,
    &speechly__slu__v1__slustarted__descriptor,
    &speechly__slu__v1__slufinished__descriptor,
    &speechly__slu__v1__sluerror__descriptor,
    &speechly__slu__v1__round_trip_measurement_request__descriptor,
    &speechly__slu__v1__round_trip_measurement_response__descriptor,
    &speechly__slu__v1__wlurequest__descriptor,
    &speechly__slu__v1__wluresponse__descriptor,
    &speechly__slu__v1__wlusegment__descriptor,
    &speechly__slu__v1__wlutoken__descriptor,
    &speechly__slu__v1__wluentity__descriptor,
    &speechly__slu__v1__wluintent__descriptor,
    &speechly__slu__v1__texts_request__descriptor,
    &speechly__slu__v1__texts_response__descriptor,
    &google__protobuf__timestamp__descriptor,
    &speechly__identity__v1__login_request__descriptor,
    &speechly__identity__v1__login_response__descriptor,
    &grpc__health__v1__health_check_request__descriptor,
    &grpc__health__v1__health_check_response__descriptor,
    &speechly__slu__v1__process_audio_request__descriptor,
    &speechly__slu__v1__option__descriptor,
    &speechly__slu__v1__process_audio_response__descriptor,
    &speechly__slu__v1__query_status_request__descriptor,
    &speechly__slu__v1__query_status_response__descriptor,
    &speechly__slu__v1__audio_configuration__descriptor,
    &speechly__slu__v1__http_resource__descriptor,
    &speechly__slu__v1__http_resource__header__descriptor,
    &speechly__slu__v1__operation__descriptor,
    &speechly__slu__v1__transcript__descriptor,
    &google__protobuf__duration__descriptor,
};

int cprotobufcpeer_reencode(const char *name, const uint8_t *bytes, size_t size,
                            uint8_t **output, size_t *output_size) {
    const ProtobufCMessageDescriptor *descriptor = NULL;
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        if (strcmp(descriptors[i]->name, name) == 0) descriptor = descriptors[i];
    if (descriptor == NULL) return CPROTOBUFCPEER_UNKNOWN_MESSAGE;

    ProtobufCMessage *message = protobuf_c_message_unpack(descriptor, NULL, size, bytes);
    if (message == NULL) return CPROTOBUFCPEER_REJECTED;

    *output_size = protobuf_c_message_get_packed_size(message);
    *output = NULL;
    int result = CPROTOBUFCPEER_OK;
    if (*output_size > 0) {
        *output = malloc(*output_size);
        if (*output == NULL)
            result = CPROTOBUFCPEER_OUT_OF_MEMORY;
        else
            protobuf_c_message_pack(message, *output);
    }
    protobuf_c_message_free_unpacked(message, NULL);
    return result;
}
