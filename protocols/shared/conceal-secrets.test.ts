import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import { createConcealer } from "./conceal-secrets";
