import type { OperationInput, UpstreamOperation } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { Transcript } from "../shared/answer/transcript";
import { readRecord } from "../shared/json/json-values";
import {
  encodeRecording,
  type RecordingRequest,
  readRecordingRequest,
} from "../shared/request/recording-request";
import { readOutput } from "./read-answer";

/** Qwen's recognition of short recordings, which is charged by seconds: https://help.aliyun.com/zh/model-studio/qwen-asr-api-reference */

/** As base64, a recording has 10 MB at most. */
const MAX_MIB = 7;

/** @throws RequestInvalid when the vendor does not support the request. */
const readRequest = (input: OperationInput): RecordingRequest => {
  const request = readRecordingRequest(input, MAX_MIB);
  if (request.temperature) throw new RequestInvalid({ code: "unsupported-field", field: "temperature" });
  return request;
};

/** @param base what the address of the vendor's own API has below the base address. */
export const createTranscriptions = (base: string): UpstreamOperation => ({
  path: () => `${base}/services/aigc/multimodal-generation/generation`,

  summarize: (input, summary) => {
    readRequest(input);
    return summary;
  },

  translation: {
    buildBody: (input, model) => {
      const request = readRequest(input);
      const { language, mediaType, prompt } = request;
      const audio = `data:${mediaType};base64,${encodeRecording(request)}`;
      return {
        model,
        input: {
          messages: [
            ...(prompt === "" ? [] : [{ role: "system", content: [{ text: prompt }] }]),
            { role: "user", content: [{ audio }] },
          ],
        },
        parameters: { asr_options: { enable_itn: false, ...(language === "" ? {} : { language }) } },
      };
    },

    readBody: (body) => {
      const { output, usage } = readRecord(body);
      const read = readOutput(output);
      if (read?.finishReason !== "stop") return body;
      const { seconds } = readRecord(usage);
      const isTold = typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0;
      return new Transcript(read.text, NO_USAGE, isTold ? seconds : undefined);
    },
  },
});
