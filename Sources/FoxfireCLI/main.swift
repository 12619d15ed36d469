print("foxfire")
