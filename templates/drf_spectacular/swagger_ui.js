"use strict";

// Swagger UI's own resolver of OpenAPI 3.1 takes seconds for one operation: this one looks only as deep as people read.
const DEEPEST = 5;

const resolved = (whole, part, above = []) => {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => resolved(whole, each, above));
  const { $ref: address, ...rest } = part;
  if (typeof address !== "string") {
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(whole, value, above)]));
  }
  const path = address.slice(2).split("/");
  const { type, description, ...more } = path.reduce((at, key) => at[key], whole);
  if (above.length === DEEPEST || above.includes(address)) return { title: path.at(-1), type, description, ...rest };
  return { ...resolved(whole, { type, description, ...more }, [...above, address]), ...rest };
};

SwaggerUIBundle({
  url: "{{ schema_url }}",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [{
    fn: {
      resolveSubtree: async (whole, path) => ({
        errors: [],
        spec: resolved(whole, path.reduce((at, key) => at?.[key], whole)),
      }),
    },
  }],
  ...{{ settings | safe }},
});
