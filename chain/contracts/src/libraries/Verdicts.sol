// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Signed verdicts of validators
library Verdicts {
    bytes32 internal constant TYPE_HASH =
        keccak256("Verdict(uint256 taskId,bytes32 workHash,uint8 round,bool approved)");

    uint256 private constant ECDSA_LENGTH = 65;

    /// @dev The EIP-712 struct hash.
    function structHash(uint256 taskId, bytes32 workHash, uint8 round, bool approved)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(TYPE_HASH, taskId, workHash, round, approved));
    }

    /// @dev The signer of `digest`, or zero. Only the length determines how a signature is read,
    /// because an account with code may still sign with its key (EIP-7702). 65 bytes are ECDSA with
    /// low s; more are the validator's address followed by its ERC-1271 signature. The contract is
    /// called with a static call, of which only 32 bytes of the answer are read.
    function signerOf(bytes32 digest, bytes calldata signature) internal view returns (address) {
        if (signature.length < ECDSA_LENGTH) return address(0);
        if (signature.length == ECDSA_LENGTH) {
            // slither-disable-next-line unused-return: an error returns the zero address
            (address signer,,) = ECDSA.tryRecoverCalldata(digest, signature);
            return signer;
        }
        address validator = address(bytes20(signature[:20]));
        bool valid =
            SignatureChecker.isValidERC1271SignatureNowCalldata(validator, digest, signature[20:]);
        return valid ? validator : address(0);
    }
}
