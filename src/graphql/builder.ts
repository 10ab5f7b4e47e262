/** The schema builder with its plugins and scalars; it defines no types. */
import SchemaBuilder from "@pothos/core";
import ZodPlugin from "@pothos/plugin-zod";
import type { Instant, JsonObject, JsonValue, Ulid } from "../plan/plan.js";
import { AS_OF_PLUGIN } from "./as-of.js";
import type { Context } from "./context.js";
import { INVALID_INPUT_PLUGIN, invalidArguments } from "./invalid-input.js";
import { scalars } from "./scalars.js";

export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    DateTime: { Input: Instant; Output: Instant };
    JSON: { Input: JsonValue; Output: JsonValue };
    JSONObject: { Input: JsonObject; Output: JsonObject };
    ULID: { Input: Ulid; Output: Ulid };
    EventCursor: { Input: string; Output: string };
    WholeNumber: { Input: number | bigint; Output: number | bigint };
    EventSeq: { Input: string; Output: bigint };
  };
}>({
  defaultFieldNullability: false,
  plugins: [INVALID_INPUT_PLUGIN, AS_OF_PLUGIN, ZodPlugin],
  zod: { validationError: invalidArguments },
});

for (const [name, scalar] of Object.entries(scalars)) {
  builder.addScalarType(name as keyof typeof scalars, scalar);
}
