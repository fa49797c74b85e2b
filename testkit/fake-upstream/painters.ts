import type { AnswerShape } from "../answer-shapes/answer";
import { DASHSCOPE } from "../answer-shapes/dashscope";
import { GEMINI_GENERATE } from "../answer-shapes/gemini-generate";
import {
  arkImages,
  dashscopeImages,
  dashscopeTask,
  dashscopeTaskEnd,
  type EncodePainting,
  geminiImages,
  imagenImages,
  type Painting,
} from "../answer-shapes/native-images";
import { OPENAI_CHAT } from "../answer-shapes/openai-chat";
import type { OperationBody } from "../answer-shapes/openai-operations";
import { checkBearer, checkGoogleKey, checkIssuedBearer, takeAnybody } from "./check-credential";
import { FAKE_KEYS } from "./credentials";
import type { Arrival, Endpoint } from "./endpoint";

/** An endpoint for pictures in a vendor's own format. */
export interface Painter extends Pick<Endpoint, "path" | "checkCredential"> {
  /** The format of its errors. */
  shape: AnswerShape;
  isAsked(arrival: Arrival): boolean;
  encode: EncodePainting;
}

const asksForPictures = ({ body }: Arrival): boolean => {
  const { generationConfig } = body as { generationConfig?: { responseModalities?: unknown } };
  const modalities = generationConfig?.responseModalities;
  return Array.isArray(modalities) && modalities.includes("IMAGE");
};

const always = (): boolean => true;
const GEMINI = { shape: GEMINI_GENERATE, isAsked: asksForPictures, encode: geminiImages };
const IMAGEN = { shape: GEMINI_GENERATE, isAsked: always, encode: imagenImages };
const PROJECT = "/vertex/v1/projects/fake-project/locations/[\\w-]+/publishers/google";
const EXPRESS = "/vertex/v1/publishers/google";
const GENERATE = "models/([^/]+):generateContent$";
const PREDICT = "models/(imagen[^/]+):predict$";

/** @param isIssued whether a token is one that a vendor's service gave out here. */
const createPainters = (isIssued: (token: string) => boolean): readonly Painter[] => [
  { ...GEMINI, path: new RegExp(`^/v1beta/${GENERATE}`), checkCredential: takeAnybody },
  { ...GEMINI, path: new RegExp(`^${PROJECT}/${GENERATE}`), checkCredential: checkIssuedBearer(isIssued) },
  { ...GEMINI, path: new RegExp(`^${EXPRESS}/${GENERATE}`), checkCredential: checkGoogleKey },
  { ...IMAGEN, path: new RegExp(`^/v1beta/${PREDICT}`), checkCredential: takeAnybody },
  { ...IMAGEN, path: new RegExp(`^${PROJECT}/${PREDICT}`), checkCredential: checkIssuedBearer(isIssued) },
  { ...IMAGEN, path: new RegExp(`^${EXPRESS}/${PREDICT}`), checkCredential: checkGoogleKey },
  {
    path: /^\/api\/v1\/services\/aigc\/multimodal-generation\/generation$/,
    shape: DASHSCOPE,
    isAsked: ({ body }) => /image|wan/.test(String(body.model ?? "")),
    checkCredential: checkBearer(FAKE_KEYS.plain),
    encode: dashscopeImages,
  },
  {
    path: /^\/api\/v3\/images\/generations$/,
    shape: OPENAI_CHAT,
    isAsked: always,
    checkCredential: checkBearer(FAKE_KEYS.plain),
    encode: arkImages,
  },
];

const SUBMIT = /^\/api\/v1\/services\/aigc\/(?:text2image|image2image)\/image-synthesis$/;
const TASK = /^\/api\/v1\/tasks\/([\w-]+)$/;

/** The answer to a request for pictures, and the format of its refusals. */
export interface Painted extends Pick<Painter, "shape" | "checkCredential"> {
  body: OperationBody;
}

/** Paints for all vendors, and keeps the tasks of those that work apart from the request. */
export const createStudio = (isIssued: (token: string) => boolean) => {
  const painters = createPainters(isIssued);
  const tasks = new Map<string, { painting: Painting; queries: number }>();
  const checkCredential = checkBearer(FAKE_KEYS.plain);
  const answer = (body: OperationBody): Painted => ({ body, shape: DASHSCOPE, checkCredential });

  return {
    /** @returns undefined when the request asks for no pictures. */
    paint(arrival: Arrival, paintingOf: () => Omit<Painting, "body">): Painted | undefined {
      if (SUBMIT.test(arrival.path)) {
        const id = `task-${tasks.size + 1}`;
        tasks.set(id, { painting: { ...paintingOf(), body: arrival.body }, queries: 0 });
        return answer(dashscopeTask(id, "PENDING"));
      }
      const painter = painters.find(({ path, isAsked }) => path.test(arrival.path) && isAsked(arrival));
      return painter && { ...painter, body: painter.encode({ ...paintingOf(), body: arrival.body }) };
    },
    /** A task is running when it is queried for the first time, and over the second time. */
    query(path: string): Painted | undefined {
      const id = TASK.exec(path)?.[1] ?? "";
      const task = tasks.get(id);
      if (!task) return undefined;
      task.queries += 1;
      return answer(task.queries === 1 ? dashscopeTask(id, "RUNNING") : dashscopeTaskEnd(id, task.painting));
    },
  };
};
