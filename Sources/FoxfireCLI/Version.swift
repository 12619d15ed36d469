/// The version of this Foxfire.
let foxfireVersion = "0.1.0"
