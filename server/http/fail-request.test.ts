import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { guardRequests } from "./fail-request";

describe("the border that no exception passes", () => {
  const run = (answer: (response: ServerResponse) => void) => {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    const errors: string[] = [];
    guardRequests(
      (_, itsResponse) => answer(itsResponse),
      (error) => errors.push(error.message),
    )(request, response);
    return { response, errors };
  };

  it("answers 500 and reports the error", () => {
    const { response, errors } = run(() => {
      throw new RangeError("too deep");
    });
    expect(errors).toEqual(["too deep"]);
    expect(response.statusCode).toBe(500);
    expect(response.writableEnded).toBe(true);
  });

  it("breaks off an answer that has begun", () => {
    const { response, errors } = run((begun) => {
      begun.writeHead(200);
      begun.write("half");
      throw new Error("late");
    });
    expect(errors).toEqual(["late"]);
    expect(response.statusCode).toBe(200);
    expect(response.destroyed).toBe(true);
  });

  it("leaves good answers alone", () => {
    const { response, errors } = run((good) => {
      good.end("good");
    });
    expect(errors).toEqual([]);
    expect(response.statusCode).toBe(200);
  });
});
