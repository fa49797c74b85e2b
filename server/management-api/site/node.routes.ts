import { listNodes } from "@tollgate/contract/api/nodes";
import { implement } from "../route";

/** The processes of this installation. */
export const nodeRoutes = [implement(listNodes, ({ services }) => services.nodes.all())];
