import * as z from "zod/mini";
import { HttpError } from "../../lib/api-client";
import { useMutation } from "../../lib/use-mutation";

/** Release list of this console's version; a build may name another list in the same format. */
const RELEASE_URL: string =
  import.meta.env.VITE_RELEASE_URL ?? "https://api.github.com/repos/songquanpeng/one-api/releases/latest";

const releaseSchema = z.object({ tag_name: z.string(), body: z.catch(z.string(), "") });

export type Release = z.infer<typeof releaseSchema>;

/** Queries the public release service for the newest release. */
export const useGetLatestRelease = () =>
  useMutation({
    mutationFn: async (): Promise<Release> => {
      const response = await fetch(RELEASE_URL);
      if (!response.ok) throw new HttpError(response.status, "");
      return releaseSchema.parse(await response.json());
    },
  });
