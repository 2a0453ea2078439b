// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    ERC7913WebAuthnVerifier
} from "@openzeppelin/contracts/utils/cryptography/verifiers/ERC7913WebAuthnVerifier.sol";

// solhint-disable no-empty-blocks

/// @title Signatures of passkeys
/// @notice The key is the concatenation of the coordinates of a P-256 key. The user must have been
/// verified, by a finger, a face or a PIN.
contract PasskeyVerifier is ERC7913WebAuthnVerifier {}
