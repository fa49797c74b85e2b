const TIMEOUT_MS = 5_000;

/**
 * Asks another service for JSON.
 * @returns undefined when it cannot be reached, answers with an error, or with something that is no JSON.
 */
export const fetchJson = async (url: string, init: RequestInit): Promise<unknown> => {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
};
