export const schema = { id: "string", title: "string", text: "string" };
