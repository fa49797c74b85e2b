import { endpoint } from "@tollgate/contract/resource/endpoint";
import { expect, it } from "vitest";
import { createOpenApiDocument, undescribed } from "./openapi";
import { implement } from "./route";

const document = createOpenApiDocument(
  [
    implement(
      endpoint({
        method: "GET",
        path: "/api/plan/:id",
        guard: "user",
        summary: "One plan",
        query: { p: "The page, from 0." },
      }),
      () => undefined,
    ),
  ],
  [{ methods: ["GET", "POST"], path: "/api/payment/:provider", summary: "A callback", description: "" }],
);

it("finds served calls without a description, whether the path or its method is missing", () => {
  const served = [
    "GET /api/plan/:id",
    "PUT /api/plan/:id",
    "GET /api/plan/:id/secret",
    "POST /api/payment/:provider",
  ];
  expect(undescribed(document, served)).toEqual(["PUT /api/plan/:id", "GET /api/plan/:id/secret"]);
});

it("names the path and query parameters of a call", () => {
  expect(document.paths["/api/plan/{id}"]?.get).toMatchObject({
    parameters: [
      { name: "id", in: "path", schema: { type: "integer" } },
      { name: "p", in: "query", description: "The page, from 0." },
    ],
  });
  expect(document.paths["/api/payment/{provider}"]?.post).toMatchObject({
    parameters: [{ name: "provider", in: "path", schema: { type: "string" } }],
  });
});
