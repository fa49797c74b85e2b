import { OPENAPI_PATH } from "@tollgate/contract/resource/served-paths";
import type { OpenApiDocument } from "./openapi";

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface Operation {
  summary?: string;
  description?: string;
  parameters?: readonly unknown[];
  requestBody?: unknown;
  responses?: unknown;
}

const block = (title: string, value: unknown): string =>
  value === undefined
    ? ""
    : `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`;

/** The API's description as a plain page: without scripts and styles, readable in every browser. */
export const renderOpenApiPage = (document: OpenApiDocument): string => {
  const sections = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, Operation>).map(
      ([method, operation]) =>
        `<section><h2><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h2><p>${escapeHtml(
          operation.summary ?? "",
        )}</p><p><small>${escapeHtml(operation.description ?? "")}</small></p>${block(
          "Request body",
          operation.requestBody,
        )}${block("Answers", operation.responses)}</section>`,
    ),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(
    document.info.title,
  )}</title></head><body><main><h1>${escapeHtml(document.info.title)} ${escapeHtml(
    document.info.version,
  )}</h1><p>${escapeHtml(document.info.description)}</p><p><a href="${OPENAPI_PATH}">openapi.json</a></p>${sections.join(
    "",
  )}</main></body></html>`;
};
