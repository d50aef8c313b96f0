/** Reads part of a stored result for the operator's page. @module */
import { OpsError } from "../../core/error.ts";
import { ANY_OWNER, type HandleInfo, type HandleSlice, type HandleStore } from "../../store/handles.ts";

/** A piece, or why there is none. */
export type HandlePiece = { readonly info: HandleInfo; readonly slice: HandleSlice } | { readonly problem: string };

/** As much as a browser shows at once without a pause. */
export const PIECE_BYTES = 64 * 1024;

/** By bytes, because by lines long ones would be cut. */
export async function readPiece(handles: HandleStore, id: string, from: number): Promise<HandlePiece> {
  try {
    const slice = await handles.read(id, ANY_OWNER, { unit: "bytes", offset: from, limit: PIECE_BYTES });
    return { info: handles.info(id, ANY_OWNER), slice };
  } catch (error) {
    if (!(error instanceof OpsError)) throw error;
    return { problem: error.code === "HANDLE_NOT_FOUND" ? "This result has expired or was removed." : error.message };
  }
}
