// Loaded before a program by the scripts of package.json. From 22.18 on Node runs TypeScript by
// removing the types, as it does in the image; before that, tsx does it.
if (!process.features.typescript) await import('tsx');
